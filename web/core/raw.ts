// The core as Embind hands it over. The only files that know addresses and heaps are in this folder.

/** Sizes and switches, as the C++ struct AttentionOptions has them. A new one also goes into sameOptions of workbench.ts. */
export interface RawOptions {
  project: boolean;
  crossed: boolean;
  nQ: number;
  nK: number;
  heads: number;
  dK: number;
  dV: number;
  dModel: number;
  dKv: number;
  allowHeads: number;
  addHeads: number;
  causal: boolean;
  causalOffset: number;
  defaultScale: boolean;
  scale: number;
  temperature: number;
  trace: boolean;
}

export interface RawOperand {
  stage: number;
  rank: number;
  axis0: number;
  axis1: number;
  axis2: number;
}

export interface RawStage {
  exists: boolean;
  operation: number;
  rank: number;
  shape0: number;
  shape1: number;
  shape2: number;
  offset: number;
  stride0: number;
  stride1: number;
  terms: number;
  headWidth: number;
  operandCount: number;
  operand0: RawOperand;
  operand1: RawOperand;
  operand2: RawOperand;
}

export interface RawCell {
  stage: number;
  index0: number;
  index1: number;
  index2: number;
}

export interface RawTerm {
  value: number;
  partial: number;
  leftOut: boolean;
  operandCount: number;
  cell0: RawCell;
  cell1: RawCell;
  cell2: RawCell;
  value0: number;
  value1: number;
  value2: number;
}

/** Functions of cpp/bindings/bindings.cpp; addresses are in bytes. The heap views are taken anew after each call. */
export interface RawCore {
  readonly HEAPU8: Uint8Array;
  readonly HEAPF32: Float32Array;
  readonly HEAPF64: Float64Array;
  configure(options: RawOptions): number;
  reserve(): number;
  run(): number;
  release(): void;
  rowStates(): number;
  runTwin(): number;
  scale(): number;
  elements(): number;
  stageInfo(stage: number): RawStage;
  findOrigin(stage: number, index0: number, index1: number, index2: number): number;
  origin(): { operation: number; value: number; constant: number; blockedBy: number; terms: number };
  originTerm(term: number): RawTerm;
  findFeeds(stage: number, index0: number, index1: number, index2: number): number;
  dropAnswer(): void;
  feedsCount(): number;
  feedsCell(i: number): RawCell;
  reserveData(count: number): number;
  softmax(outer: number, length: number, inner: number, log: boolean): number;
  lastError(): { code: number; param: number; value: number; bound: number };
  text(kind: number, id: number): number;
  liveBuffers(): number;
  liveBytes(): number;
  seesNaN(x: number): boolean;
}
