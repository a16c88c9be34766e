// Small helpers to write matrices in tests the way one reads them.

import type { Matrix } from "../../../web/core/types.ts";

/** Rows of a stage or an output: the last axis becomes the inner array, all others are run together. */
export function rows(matrix: Matrix): number[][] {
  const width = matrix.shape.at(-1) ?? 0;
  const count = matrix.shape.slice(0, -1).reduce((product, size) => product * size, 1);
  return Array.from({ length: count }, (_, i) => [...matrix.data.subarray(i * width, (i + 1) * width)]);
}

/** A matrix full of one number. */
export function filled(rowCount: number, width: number, value: number): { data: Float32Array; shape: number[] } {
  return { data: new Float32Array(rowCount * width).fill(value), shape: [rowCount, width] };
}

/** Where a cell stands in flat data. */
export function flatIndex(shape: readonly number[], index: readonly number[]): number {
  return index.reduce((flat, place, axis) => flat * (shape[axis] as number) + place, 0);
}

/** Every index of a shape, last axis fastest. */
export function* indices(shape: readonly number[]): Generator<number[]> {
  const count = shape.reduce((product, size) => product * size, 1);
  for (let flat = 0; flat < count; flat++) {
    const index = new Array<number>(shape.length);
    let rest = flat;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const size = shape[axis] as number;
      index[axis] = rest % size;
      rest = Math.floor(rest / size);
    }
    yield index;
  }
}
