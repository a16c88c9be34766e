// Numbers as text. The text is the correct rounding of the float32 it stands for: a float32 is exactly a double, and
// toFixed and toExponential round the exact value of a double (halves away from zero), so nothing is rounded twice.

/** How a whole matrix is written: the same count of decimals in every cell. */
export interface NumberFormat {
  /** 0 … 4. */
  readonly decimals: number;
  /** The decimal mark of the reader's language. */
  readonly mark: string;
}

const MINUS = "\u2212";
const INFINITY = "\u221e";
const LARGE = 10_000;
const SMALL = 0.00005;
const MOST_DECIMALS = 4;
const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** The decimal mark of a language, for instance "." in English. */
export function decimalMark(language: string): string {
  const part = new Intl.NumberFormat(language).formatToParts(1.5).find(({ type }) => type === "decimal");
  return part?.value ?? ".";
}

/** True where a number is written as 1.23×10⁴: from 10,000 on, and below 0.00005. */
function isScientific(size: number): boolean {
  return size >= LARGE || (size > 0 && size < SMALL) || (Number.isFinite(size) && Number(size.toFixed(4)) >= LARGE);
}

/** The least count of decimals (at most four) that says which float32 it is; four where none does. */
function decimalsOf(value: number): number {
  const size = Math.abs(value);
  if (!Number.isFinite(size) || isScientific(size)) return 0;
  for (let decimals = 0; decimals < MOST_DECIMALS; decimals++) {
    if (Math.fround(Number(size.toFixed(decimals))) === Math.fround(size)) return decimals;
  }
  return MOST_DECIMALS;
}

/** The format that all cells of one matrix share: none for integers, else as many decimals as one cell needs, up to 4. */
export function formatFor(values: ArrayLike<number>, mark = "."): NumberFormat {
  let decimals = 0;
  for (let i = 0; i < values.length && decimals < MOST_DECIMALS; i++) {
    decimals = Math.max(decimals, decimalsOf(values[i] as number));
  }
  return { decimals, mark };
}

function superscript(exponent: number): string {
  const digits = [...String(Math.abs(exponent))].map((digit) => SUPERSCRIPTS[Number(digit)]).join("");
  return (exponent < 0 ? "⁻" : "") + digits;
}

/**
 * One number as text: U+2212 for minus, never "−0", "−∞" for minus infinity, "1.23×10⁴" from 10,000 on and below 0.00005.
 *
 * @param value a float32 (any double works the same way)
 */
export function formatNumber(value: number, format: NumberFormat = formatFor([value])): string {
  if (Number.isNaN(value)) return "NaN";
  const size = Math.abs(value);
  let text: string;
  if (size === Number.POSITIVE_INFINITY) text = INFINITY;
  else if (isScientific(size)) {
    const [mantissa, exponent] = size.toExponential(2).split("e") as [string, string];
    text = `${mantissa.replace(".", format.mark)}×10${superscript(Number(exponent))}`;
  } else text = size.toFixed(format.decimals).replace(".", format.mark);
  const isZero = !/[1-9∞]/.test(text);
  return value < 0 && !isZero ? MINUS + text : text;
}

/** One number by itself, with as many decimals as it needs. */
export function formatAlone(value: number, mark = "."): string {
  return formatNumber(value, formatFor([value], mark));
}

/** Width of a text of digits in halves of a digit: "." and superscripts are narrow. */
export function halfDigits(text: string): number {
  let width = 0;
  for (const letter of text) width += letter === "." || letter === "," ? 1 : SUPERSCRIPTS.includes(letter) ? 1.4 : 2;
  return Math.ceil(width);
}
