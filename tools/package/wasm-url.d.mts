export const wasmFiles: readonly string[];
