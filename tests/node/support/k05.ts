/** Pitfall K05: a yes/no mask whose sense is easily inverted; also a small everyday call. */
export const K05 = {
  q: [
    [1, 0],
    [0, 1],
  ],
  k: [
    [1, 0],
    [0, 1],
  ],
  v: [
    [1, 2],
    [3, 4],
  ],
  allow: [
    [true, false],
    [true, true],
  ],
} as const;
