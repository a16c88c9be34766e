import type { FaultList } from "./faults.ts";

/** A lesson is at most this long; longer files are refused before they are parsed. */
export const maxLessonBytes = 256 * 1024;
/** Quotes and lists are nested at most this deep. */
const maxNesting = 24;
/** Brackets of one kind in a row. More is no text, and costs the parser quadratic time. */
const maxRun = 64;

/**
 * The text of a lesson file: UTF-8, line ends as `\n`, without a byte-order mark.
 * Returns nothing when the file cannot be read as text; the reason is in `faults`.
 */
export function readSource(bytes: Uint8Array, faults: FaultList): string | undefined {
  if (bytes.length === 0) {
    faults.add(undefined, "The file is empty: a lesson begins with a header between two lines of ---.");
    return undefined;
  }
  if (bytes.length > maxLessonBytes) {
    const kB = Math.ceil(bytes.length / 1024);
    faults.add(undefined, `The file has ${kB} kB; a lesson has at most ${maxLessonBytes / 1024} kB.`);
    return undefined;
  }
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    faults.add(undefined, "The file is UTF-16; save it as UTF-8.");
    return undefined;
  }
  const nul = bytes.indexOf(0);
  if (nul >= 0) {
    faults.add(placeOfByte(bytes, nul), "The file holds a NUL character, which no text has; remove it.");
    return undefined;
  }
  const text = decode(bytes, faults);
  if (text === undefined) return undefined;
  const lines = text.replace(/\r\n?/gu, "\n");
  return nestingIsSane(lines, faults) ? lines : undefined;
}

function decode(bytes: Uint8Array, faults: FaultList): string | undefined {
  const strict = new TextDecoder("utf-8", { fatal: true });
  try {
    return strict.decode(bytes);
  } catch {
    let start = 0;
    for (let line = 1; start <= bytes.length; line++) {
      const found = bytes.indexOf(10, start);
      const end = found < 0 ? bytes.length : found;
      try {
        strict.decode(bytes.subarray(start, end));
      } catch {
        faults.add({ line, column: 1 }, "This line is not valid UTF-8; save the file as UTF-8.");
      }
      start = end + 1;
    }
    return undefined;
  }
}

function placeOfByte(bytes: Uint8Array, at: number) {
  let line = 1;
  let start = 0;
  for (let i = 0; i < at; i++) {
    if (bytes[i] === 10) {
      line++;
      start = i + 1;
    }
  }
  return { line, column: at - start + 1 };
}

function nestingIsSane(text: string, faults: FaultList): boolean {
  let sane = true;
  const refuse = (line: number, column: number, sentence: string) => {
    if (sane) faults.add({ line, column }, sentence);
    sane = false;
  };
  text.split("\n").forEach((content, at) => {
    let markers = 0;
    let i = 0;
    for (; i < content.length; i++) {
      const c = content.charAt(i);
      if (c === " " || c === "\t") continue;
      const listMarker = /[-*+]/u.test(c) && /[ \t]/u.test(content.charAt(i + 1));
      const digits = /^\d{1,9}[.)][ \t]/u.exec(content.slice(i, i + 12));
      if (c !== ">" && !listMarker && !digits) break;
      markers++;
      if (digits) i += digits[0].length - 2;
    }
    if (markers > maxNesting) {
      refuse(at + 1, 1, `Quotes and lists are nested ${markers} deep here; at most ${maxNesting} are read.`);
    }
    if (i > 8 * maxNesting && content.trim() !== "") {
      refuse(at + 1, 1, `This line is indented by ${i} characters; at most ${8 * maxNesting} are read.`);
    }
    const run = /(\[|!\[|\*|_|\$|:|`|<|\(|\{|~){65,}/u.exec(content);
    if (run) {
      refuse(at + 1, run.index + 1, `More than ${maxRun} of the same mark (${run[1]}) stand in a row here.`);
    }
  });
  return sane;
}
