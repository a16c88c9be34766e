// The languages of the code tabs: what they are called, what a comment begins with, and what prints them.

import { cppLoops } from "./cpp.ts";
import { numpy } from "./numpy.ts";
import type { Line } from "./piece.ts";
import type { Recipe } from "./recipe.ts";
import { type CodeScene, shortProgram } from "./steps.ts";
import { torch } from "./torch.ts";

/** In the order of the tabs. */
export const CODE_LANGUAGES = ["numpy", "torch", "cpp"] as const;

export type CodeLanguage = (typeof CODE_LANGUAGES)[number];

interface Language {
  /** A name of its own, the same in every language of the page. */
  readonly title: string;
  readonly comment: string;
  /** What a copy of the lines needs in front of it. */
  readonly preamble: string;
  /** The lines of a scene; in C++ the loops of the stage that the cursor is at, else the whole of attention. */
  readonly lines: (scene: CodeScene, recipe: Recipe) => Line[];
}

export const languages: Readonly<Record<CodeLanguage, Language>> = {
  numpy: {
    title: "NumPy",
    comment: "#",
    preamble: "import numpy as np\n\n",
    lines: (scene) => shortProgram(scene, numpy),
  },
  torch: {
    title: "PyTorch",
    comment: "#",
    preamble: "import torch\n\n",
    lines: (scene) => shortProgram(scene, torch),
  },
  cpp: { title: "C++", comment: "//", preamble: "", lines: (_, recipe) => cppLoops(recipe) },
};
