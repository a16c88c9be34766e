/** `Symbol.dispose`, also where the engine does not have it yet: then nothing calls it, and nothing breaks. */
export const DISPOSE: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for("Symbol.dispose");
