export const mathFamily: string;
export const mathCharacters: string;
export const mathFontFile: string;
export function mathFontBytes(): Promise<Uint8Array>;
export function writeMathFont(): Promise<void>;
