// Emscripten compiles its own C and C++ libraries at the first link that needs them. Doing that here, with the
// project's family of flags, keeps the minute it takes out of the first build.
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mustRun } from "./run.mjs";
import { wrapperText } from "./wrapper-text.mjs";

const source = `#include <emscripten/bind.h>
#include <cmath>
#include <string>
#include <vector>
static double sum(std::vector<float> v) { double s = 0; for (float x : v) s += std::exp(x) + std::tanh(x); return s; }
EMSCRIPTEN_BINDINGS(probe) { emscripten::register_vector<float>("V"); emscripten::function("sum", &sum); }
`;

/** The flags that choose between variants of the libraries; the rest of the build's flags do not matter here. */
const flags = [
  "-std=c++20",
  "-O3",
  "-msimd128",
  "-fno-exceptions",
  "-lembind",
  "-sEMBIND_AOT=1",
  "-sDYNAMIC_EXECUTION=0",
  "-sMODULARIZE=1",
  "-sEXPORT_ES6=1",
  "-sENVIRONMENT=web,worker",
  "-sFILESYSTEM=0",
  "-sMALLOC=emmalloc",
  "-sALLOW_MEMORY_GROWTH=1",
];

/** @param {string} root the private root */
export async function buildSystemLibraries(root) {
  // The layout of a project, so that the wrapper finds its place as it does in a clone.
  const project = join(root, "var/tmp/probe");
  const bin = join(project, "build/toolchain/bin");
  mkdirSync(bin, { recursive: true });
  mkdirSync(join(root, "var/cache/emscripten"), { recursive: true });
  const wrapper = join(bin, "em++");
  writeFileSync(wrapper, wrapperText(root, "em++"));
  chmodSync(wrapper, 0o755);
  writeFileSync(join(project, "probe.cc"), source);
  const sentence =
    "Could not build Emscripten's system libraries in the private toolchain; see whether bwrap is allowed on this machine.";
  await mustRun("system-libraries", sentence, wrapper, [...flags, "probe.cc", "-o", "probe.mjs"], { cwd: project });
  rmSync(project, { recursive: true, force: true });
}
