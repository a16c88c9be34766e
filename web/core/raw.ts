// The core as Embind hands it over. The only files that know addresses and heaps are in this folder.

/** Functions of cpp/bindings/bindings.cpp; addresses are in bytes, true arrives as 1. The heap views are taken anew after each call. */
export interface RawCore {
  readonly HEAPU8: Uint8Array;
  readonly HEAPF32: Float32Array;
  readonly HEAPF64: Float64Array;
  options(): number;
  configure(): number;
  describePlan(): number;
  reserve(): number;
  run(): number;
  release(): void;
  rowStates(): number;
  runTwin(): number;
  findOrigin(stage: number, index0: number, index1: number, index2: number, index3: number): number;
  findFeeds(stage: number, index0: number, index1: number, index2: number, index3: number): number;
  dropAnswer(): void;
  reserveData(count: number): number;
  softmax(outer: number, length: number, inner: number, log: boolean): number;
  normalise(rows: number, cols: number, rms: boolean, epsilon: number): number;
  activate(count: number, kind: number): number;
  rotate(rows: number, cols: number, width: number, neighbours: boolean, tables: boolean, base: number): number;
  sinusoid(first: number, rows: number, cols: number, base: number): void;
  lastError(): number;
  texts(): number;
  target(): number;
  liveBuffers(): number;
  liveBytes(): number;
  seesNaN(x: number): number;
}
