// How much random testing: what every run does, or with LOOM_SIZE=release what a release does.

const isRelease = process.env.LOOM_SIZE === "release";

/** The amount of this run. */
export const cases = (change: number, release: number): number => (isRelease ? release : change);
