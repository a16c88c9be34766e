// What is measured. (heads, tokens, width of one head).

const size = (heads, tokens, d) => ({ heads, tokens, d });

export const shapes = [
  size(1, 4, 3),
  size(1, 8, 16),
  size(4, 64, 32),
  size(12, 128, 64),
  size(12, 512, 64),
  size(12, 1024, 64),
  size(1, 2048, 64),
  size(1, 4096, 64),
];

/** Odd sizes, each with the nearest multiples of 8. */
export const oddPairs = [
  [size(12, 197, 48), size(12, 200, 48)],
  [size(12, 197, 50), size(12, 200, 48)],
  [size(12, 197, 80), size(12, 200, 80)],
];

/** How cost grows: one size at a time, the other two held. */
export const growth = {
  tokens: [16, 32, 64, 128, 256, 512, 1024, 2048].map((tokens) => size(4, tokens, 64)),
  heads: [1, 2, 4, 8, 16, 32].map((heads) => size(heads, 128, 64)),
  d: [4, 8, 16, 32, 64, 128, 256].map((d) => size(4, 128, d)),
};

export const key = ({ heads, tokens, d }) => `${heads},${tokens},${d}`;
