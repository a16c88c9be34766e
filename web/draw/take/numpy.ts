// The whole program in NumPy. It prints the very float32s of the figure: e^x is the core's own, too.

import { pythonNumber } from "../code/literal.ts";
import type { Program } from "./program.ts";
import { type PythonWords, pythonProgram } from "./python.ts";

/** As cpp/kernels/exp-inl.h has it. */
const exp = `def exp(x):
    """e to the x as the figure has it, to the bit: 2^n · e^r (Cody and Waite 1980), 0 below -87.33654, ∞ above 88.72283."""
    f = np.float32
    seen = np.where((x < f(-87.33654)) | (x > f(88.72283)), f(0), x)
    n = np.rint(seen * f(1.44269504))
    r = seen - n * f(0.693359375) - n * f(-2.12194440e-4)
    q = f(0.0013814443108926056)
    for c in (0.008368796633329229, 0.04166839563776414, 0.1666651997419115, 0.4999999340389461):
        q = f(c) + q * r
    power = np.ldexp((r + r * r * q) + f(1), n.astype(np.int32))
    return np.where(x < f(-87.33654), f(0), np.where(x > f(88.72283), f(np.inf), power))
`;

/** As cpp/kernels/cap-inl.h and tanh-inl.h have it. */
const softCap = `

def soft_cap(x, cap):
    """cap * tanh(x / cap) as the figure has it, to the bit: by a polynomial below 0.625, else by e^(-2|x|)."""
    f = np.float32
    ratio = x / cap
    size = np.abs(ratio)
    square = size * size
    p = f(-0.005704987157463932) * square + f(0.020639087469314237)
    for c in (-0.053739715188794007, 0.1333144219996122, -0.33333281942095294):
        p = p * square + f(c)
    e = exp(size * f(-2))
    tanh = np.where(size < f(0.625), size + size * (square * p), (f(1) - e) / (f(1) + e))
    return np.where(size < f(2.0**-13), x, cap * np.copysign(tanh, ratio))
`;

const number = (value: number) => `np.float32(${pythonNumber(value)})`;

const words: PythonWords = {
  preamble: ({ recipes }) => {
    const guard = '\nnp.seterr(all="ignore")  # ∞ − ∞ and 0 ÷ 0 come up, and are seen to\n';
    const isGuarded = recipes.some(({ guards }) => guards.rows);
    const isCapped = recipes.some(({ operation }) => operation === "cap");
    return `import numpy as np\n${isGuarded ? guard : ""}\n\n${exp}${isCapped ? softCap : ""}`;
  },
  array: (literal) => `np.array(${literal}, dtype=np.float32)`,
  truths: (literal) => `np.array(${literal}, dtype=bool)`,
  number,
  lowest: "np.float32(-np.inf)",
  where: "np.where",
  exp: "exp",
  cap: (array, cap) => `soft_cap(${array}, ${number(cap)})`,
  largest: (array, hasGaps) =>
    hasGaps
      ? `np.fmax.reduce(${array}, -1, keepdims=True, initial=np.float32(-np.inf))`
      : `${array}.max(-1, keepdims=True)`,
  turned: (array, hasHeads) => (hasHeads ? `${array}.swapaxes(1, 2)` : `${array}.T`),
  joined: (array) => `${array}.swapaxes(0, 1).reshape(${array}.shape[1], -1)`,
};

export const numpyProgram = (program: Program): string => pythonProgram(program, words);
