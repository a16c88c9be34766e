// Reads the golden files of tests/golden. Minus infinity stands there as the string "-inf".

import { readdirSync, readFileSync } from "node:fs";
import type { AttendInput, Causal } from "../../../web/core/types.ts";
import type { Tolerance } from "./compare.ts";

/** Numbers as the golden files write them. */
export interface GoldenArray {
  readonly shape: readonly number[];
  readonly data: readonly (number | "-inf")[];
}

interface GoldenInput {
  readonly scale?: number;
  readonly temperature?: number;
  readonly heads?: number;
  readonly causal?: Causal;
  readonly [matrix: string]: unknown;
}

export interface GoldenCase {
  readonly name: string;
  readonly input: GoldenInput;
  readonly emptyRows: readonly (readonly [number, number])[];
  readonly stages: Readonly<Record<string, GoldenArray>>;
}

export interface GoldenSoftmax {
  readonly name: string;
  readonly input: GoldenArray & { readonly axis: number; readonly log: boolean };
  readonly output: GoldenArray;
}

export interface GoldenFile<T> {
  readonly tolerance: Tolerance;
  readonly cases: readonly T[];
}

export const goldenFolder = new URL("../../golden/", import.meta.url);

/** Names of the golden files, without those that hold no cases. */
export function goldenNames(): string[] {
  return readdirSync(goldenFolder)
    .filter((name) => name.endsWith(".json") && name !== "determinism.json")
    .map((name) => name.slice(0, -".json".length))
    .sort();
}

/** Reads one golden file. */
export function golden<T = GoldenCase>(name: string): GoldenFile<T> {
  return JSON.parse(readFileSync(new URL(`${name}.json`, goldenFolder), "utf8")) as GoldenFile<T>;
}

/** The numbers of a golden array, in double precision. */
export function numbers(array: GoldenArray): number[] {
  return array.data.map((value) => (value === "-inf" ? -Infinity : value));
}

/** The arguments of a golden case for attend. */
export function attendInput(golden: GoldenCase): AttendInput {
  const options = Object.entries(golden.input).map(([name, value]) => {
    const isArray = typeof value === "object" && value !== null && "data" in value;
    return [name, isArray ? { shape: (value as GoldenArray).shape, data: numbers(value as GoldenArray) } : value];
  });
  return Object.fromEntries(options) as AttendInput;
}
