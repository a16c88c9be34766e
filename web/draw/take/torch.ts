// The whole program in PyTorch. The last digits of its exponentials are PyTorch's own.

import { pythonNumber } from "../code/literal.ts";
import type { Program } from "./program.ts";
import { type PythonWords, pythonProgram } from "./python.ts";

const words: PythonWords = {
  preamble: () => "import torch\n",
  array: (literal) => `torch.tensor(${literal}, dtype=torch.float32)`,
  truths: (literal) => `torch.tensor(${literal}, dtype=torch.bool)`,
  // A number of Python's takes the type of the tensor beside it, and its multiples are rounded to it.
  number: (value) => (value === 0 ? "0.0" : pythonNumber(value)),
  lowest: "-torch.inf",
  where: "torch.where",
  exp: "torch.exp",
  cap: (array, cap) => `${pythonNumber(cap)} * torch.tanh(${array} / ${pythonNumber(cap)})`,
  largest: (array, hasGaps) =>
    `${hasGaps ? `torch.nan_to_num(${array}, nan=-torch.inf, posinf=torch.inf, neginf=-torch.inf)` : array}.amax(-1, keepdim=True)`,
  turned: (array) => `${array}.mT`,
  joined: (array) => `${array}.transpose(0, 1).flatten(1)`,
};

export const torchProgram = (program: Program): string => pythonProgram(program, words);
