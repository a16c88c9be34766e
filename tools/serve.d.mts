import type { Server } from "node:http";

export const contentSecurityPolicy: string;
export interface ServeOptions {
  port?: number;
  exact?: boolean;
  host?: string;
  policy?: string | null;
}
export function serve(
  folder: string,
  options?: ServeOptions,
): Promise<{ address: string; server: Server; close: () => Promise<void> }>;
