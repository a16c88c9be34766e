// The C++ sources that the formatter looks at.
import { filesBelow } from "../build/fingerprint.mjs";
import { inProject } from "../setup/paths.mjs";

export const cppFiles = () =>
  [inProject("cpp"), inProject("tests", "cpp"), inProject("tests", "bench", "native")]
    .flatMap(filesBelow)
    .filter((file) => /\.(h|cpp)$/.test(file));
