import { defineConfig } from "vitest/config";

// The workers, not the parent, run the tests, so the flag has to reach them. It makes `eval` and `new Function` throw:
// the whole Node suite runs as under a page's policy without 'unsafe-eval'.
const noCodeFromStrings = ["--disallow-code-generation-from-strings"];

// Node 20 has relaxed SIMD behind a flag, which later versions refuse.
const relaxedSimd = process.versions.node.startsWith("20.") ? ["--experimental-wasm-relaxed-simd"] : [];

export default defineConfig({
  test: {
    pool: "forks",
    retry: 0,
    passWithNoTests: false,
    projects: [
      {
        extends: true,
        test: {
          name: "node",
          include: ["tests/node/**/*.test.ts"],
          execArgv: noCodeFromStrings,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: "relaxed",
          include: ["tests/relaxed/**/*.test.ts"],
          execArgv: [...noCodeFromStrings, ...relaxedSimd],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: "browser",
          include: ["tests/browser/**/*.test.ts"],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: "package",
          include: ["tests/package/**/*.test.ts"],
          execArgv: relaxedSimd,
          fileParallelism: false,
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
});
