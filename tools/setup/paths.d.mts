export const projectRoot: string;
export function inProject(...parts: string[]): string;
export const wantedEmscripten: string;
export const privateRoot: string;
export const privateRootIsNamed: boolean;
