// Builds and runs the native benchmarks, in a build folder of their own: their option must not stay in another one.

import { existsSync } from "node:fs";

import { inProject, projectRoot } from "../../../tools/setup/paths.mjs";
import { mustRun } from "../../../tools/setup/run.mjs";
import { SetupError } from "../../../tools/setup/stage.mjs";
import { show } from "../show.mjs";

const targets = ["bench_core", "bench_eigen"];

export async function runNative() {
  if (!existsSync("/usr/include/benchmark/benchmark.h"))
    throw new SetupError("The native benchmarks need Google Benchmark: install the package libbenchmark-dev.");
  const folder = inProject("build", "bench", "native");
  const failed = "The native benchmarks did not build.";
  const configure = ["--preset", "native-release", "-B", folder, "-DLOOM_BENCH=ON"];
  await mustRun("bench-native-configure", failed, "cmake", configure, { cwd: projectRoot });
  const build = ["--build", folder, "--target", ...targets];
  await mustRun("bench-native-build", failed, "cmake", build, { cwd: projectRoot });
  for (const target of targets) {
    const program = `${folder}/${target}`;
    if ((await show(program, ["--benchmark_min_time=0.3"])) !== 0)
      throw new SetupError(`${target} ended with an error.`);
  }
}
