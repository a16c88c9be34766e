// Is a text as the figure writes it the correct rounding of a number? Decided with whole numbers alone, so that nothing
// is rounded on the way.

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** A text of the figure: sign · units · 10^power, with so many decimals. */
export interface Written {
  readonly units: bigint;
  readonly power: number;
  readonly decimals: number;
  readonly isScientific: boolean;
}

/** What a text says; undefined where it is no finite number as the figure writes them. */
export function written(text: string, mark = "."): Written | undefined {
  const form = /^(−?)(\d+)(?:(\D)(\d+))?(?:×10(⁻?)([⁰¹²³⁴⁵⁶⁷⁸⁹]+))?$/.exec(text);
  if (!form) return undefined;
  const [, minus, whole = "", found = mark, fraction = "", down, raised = ""] = form;
  if (found !== mark) return undefined;
  const exponent = Number([...raised].map((digit) => SUPERSCRIPTS.indexOf(digit)).join("")) * (down ? -1 : 1);
  const size = BigInt(whole + fraction);
  const isScientific = raised !== "";
  return {
    units: minus ? -size : size,
    power: exponent - fraction.length,
    decimals: fraction.length,
    isScientific,
  };
}

/** A finite double as numerator / 2^shift. */
function exactly(value: number): { numerator: bigint; shift: bigint } {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const all = bits.getBigUint64(0);
  const exponent = Number((all >> 52n) & 0x7ffn);
  const fraction = all & 0xfffffffffffffn;
  const mantissa = exponent === 0 ? fraction : fraction | (1n << 52n);
  const power = Math.max(exponent, 1) - 1075;
  const numerator = (all >> 63n === 1n ? -mantissa : mantissa) * (power > 0 ? 1n << BigInt(power) : 1n);
  return { numerator, shift: power < 0 ? BigInt(-power) : 0n };
}

const size = (value: bigint) => (value < 0n ? -value : value);

/** Twice the distance of a written number from a value, and one unit of its last digit, over the same denominator. */
function apart({ units, power }: Written, value: number): { twice: bigint; unit: bigint; isBeyond: boolean } {
  const { numerator, shift } = exactly(value);
  const up = 10n ** BigInt(Math.max(0, power));
  const down = 10n ** BigInt(Math.max(0, -power));
  const text = (units * up) << shift;
  const number = numerator * down;
  return { twice: 2n * size(text - number), unit: up << shift, isBeyond: size(text) > size(number) };
}

/** The nearest number with so many digits, halves away from zero; infinities and NaN by their signs. */
export function isRounding(text: string, value: number, mark = "."): boolean {
  if (Number.isNaN(value)) return text === "NaN";
  if (!Number.isFinite(value)) return text === (value > 0 ? "∞" : "−∞");
  const said = written(text, mark);
  if (!said || (said.units === 0n && text.startsWith("−"))) return false;
  const { twice, unit, isBeyond } = apart(said, value);
  return twice < unit || (twice === unit && isBeyond);
}

/** The text says exactly this number. */
export function isExactly(text: string, value: number, mark = "."): boolean {
  const said = written(text, mark);
  return said !== undefined && apart(said, value).twice === 0n;
}
