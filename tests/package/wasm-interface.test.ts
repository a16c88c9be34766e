import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readInterface, storedFile } from "../../tools/package/wasm-interface.mjs";
import { wasmFiles } from "../../tools/package/wasm-url.mjs";

test.each(wasmFiles)(
  "R18: imports and exports of %s are the stored list (npm run update:interface after a wanted change)",
  (file) => {
    expect(readInterface(file)).toEqual(JSON.parse(readFileSync(storedFile, "utf8")));
  },
);

test("R18: every import is known by its name, so that the list says something", () => {
  const nameless = readInterface().imports.filter((item) => /^function \w$/.test(item));
  expect(nameless).toEqual([]);
});

test("R18: no import reaches network or files", () => {
  const reaching =
    /fetch|xhr|socket|websocket|\bfd_|path_|syscall|open|random_get|environ|proc_exit|dlopen|asm_const|run_script/i;
  expect(readInterface().imports.filter((item) => reaching.test(item))).toEqual([]);
});

test("R18, K58: the memory is its own, not shared, starts small and ends at 256 MiB at most", () => {
  const page = 64 * 1024;
  const { memory, imports } = readInterface();
  expect(imports.filter((item) => item.startsWith("memory"))).toEqual([]);
  expect(memory?.shared).toBe(false);
  expect(memory?.maximumPages).not.toBeNull();
  expect((memory?.maximumPages ?? 0) * page).toBeLessThanOrEqual(256 * 1024 * 1024);
  expect((memory?.initialPages ?? 0) * page).toBeLessThanOrEqual(16 * 1024 * 1024);
});
