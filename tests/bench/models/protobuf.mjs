// As much of the protocol-buffer wire format as an ONNX model needs (protobuf.dev/programming-guides/encoding).

const utf8 = new TextEncoder();

/** @param {number} value a whole number from 0 to 2⁵³ */
function varint(value) {
  const bytes = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Uint8Array.of(...bytes, rest);
    bytes.push((rest % 128) + 128);
  }
}

function joined(parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const tag = (field, wireType) => varint(field * 8 + wireType);

/** A field that holds a whole number (int32, int64, enum). */
export const int = (field, value) => joined([tag(field, 0), varint(value)]);

/** A field that holds a 32-bit float. */
export const float = (field, value) => joined([tag(field, 5), new Uint8Array(Float32Array.of(value).buffer)]);

/** A field of bytes, text, or a message that is written already. */
export function bytes(field, value) {
  const content = typeof value === "string" ? utf8.encode(value) : value;
  return joined([tag(field, 2), varint(content.length), content]);
}

/** A message: its fields, one after another. */
export const message = (...fields) => joined(fields.flat());
