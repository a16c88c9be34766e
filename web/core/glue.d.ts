// The Emscripten glue that the build writes to build/wasm/.
declare module "*/loom-core.mjs" {
  const createLoomCore: (options: {
    instantiateWasm(imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void): object;
  }) => Promise<unknown>;
  export default createLoomCore;
}
