// The whole program in NumPy. It prints the very float32s of the figure: e^x is the core's own, too.

import { pythonNumber } from "../code/literal.ts";
import type { Program } from "./program.ts";
import { type PythonWords, pythonProgram } from "./python.ts";

/** As cpp/kernels/exp-inl.h has it. */
const exp = `def exp(x):
    """e to the x ≤ 0 as the figure has it, to the bit: 2^n · e^r (Cody and Waite 1980), 0 below -87.33654."""
    f = np.float32
    seen = np.where(x < f(-87.33654), f(0), x)
    n = np.rint(seen * f(1.44269504))
    r = seen - n * f(0.693359375) - n * f(-2.12194440e-4)
    q = f(0.0013814443108926056)
    for c in (0.008368796633329229, 0.04166839563776414, 0.1666651997419115, 0.4999999340389461):
        q = f(c) + q * r
    return np.where(x < f(-87.33654), f(0), np.ldexp((r + r * r * q) + f(1), n.astype(np.int32)))
`;

const number = (value: number) => `np.float32(${pythonNumber(value)})`;

const words: PythonWords = {
  preamble: ({ recipes }) =>
    `import numpy as np\n${recipes.some(({ guards }) => guards.rows) ? '\nnp.seterr(all="ignore")  # ∞ − ∞ and 0 ÷ 0 come up, and are seen to\n' : ""}\n\n${exp}`,
  array: (literal) => `np.array(${literal}, dtype=np.float32)`,
  truths: (literal) => `np.array(${literal}, dtype=bool)`,
  number,
  lowest: "np.float32(-np.inf)",
  where: "np.where",
  exp: "exp",
  tanh: "np.tanh",
  largest: (array, hasGaps) =>
    hasGaps
      ? `np.fmax.reduce(${array}, -1, keepdims=True, initial=np.float32(-np.inf))`
      : `${array}.max(-1, keepdims=True)`,
  turned: (array, hasHeads) => (hasHeads ? `${array}.swapaxes(1, 2)` : `${array}.T`),
  joined: (array) => `${array}.swapaxes(0, 1).reshape(${array}.shape[1], -1)`,
};

export const numpyProgram = (program: Program): string => pythonProgram(program, words);
