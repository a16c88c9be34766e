// Float32 as letters of an address: four bytes each, the lowest first, in base64url. 5⅓ letters a number, whatever it is.

/** The letters of the numbers. */
export function pack(numbers: readonly number[]): string {
  const bytes = new DataView(new ArrayBuffer(4 * numbers.length));
  numbers.forEach((value, i) => {
    bytes.setFloat32(4 * i, value, true);
  });
  const letters = Array.from(new Uint8Array(bytes.buffer), (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The numbers again; undefined where the letters are not those of finite float32. */
export function unpack(text: string): number[] | undefined {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return undefined;
  const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  if (letters.length % 4 !== 0) return undefined;
  const bytes = new DataView(Uint8Array.from(letters, (letter) => letter.charCodeAt(0)).buffer);
  const numbers = Array.from({ length: letters.length / 4 }, (_, i) => bytes.getFloat32(4 * i, true));
  return numbers.every(Number.isFinite) ? numbers : undefined;
}
