// Lines of a program as pieces, each with the stages that it makes.

/** Text, and the stages it is lit for. */
export type Piece = readonly [text: string, ...stages: string[]];

export type Line = readonly Piece[];

export const lineText = (line: Line): string => line.map(([text]) => text).join("");

export const linesText = (lines: readonly Line[]): string => lines.map(lineText).join("\n");
