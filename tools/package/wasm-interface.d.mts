export interface WasmInterface {
  memory: { initialPages: number; maximumPages: number | null; shared: boolean } | null;
  imports: string[];
  exports: string[];
}
export const storedFile: string;
export function readInterface(file?: string): WasmInterface;
