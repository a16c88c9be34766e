// Which vector target the kernels were compiled for.
#pragma once

namespace loom::kernels {

// Highway's name of the target, for instance "WASM", "AVX2", "SSE4", "EMU128". Lives as long as the program.
const char* TargetName();

}  // namespace loom::kernels
