// Everything that can be taken away, loaded when somebody asks for it.

export { paintDrawing } from "./canvas.ts";
export { cppProgram } from "./cpp.ts";
export { figureDrawing } from "./figure.ts";
export { latexText, type MathNode, mathmlText } from "./math.ts";
export { numpyProgram } from "./numpy.ts";
export { programOf } from "./program.ts";
export { svgText } from "./svg.ts";
export { csvText, tsvText } from "./table.ts";
export { torchProgram } from "./torch.ts";
