// The project's own core: a fresh result, and a result into an array that the caller passes.

/**
 * @param {any} loom
 * @param {"simd128" | "relaxed"} build
 * @param {boolean} into whether `attend` takes an array to write into
 * @returns {import("./index.mjs").Contestant[]}
 */
export function own(loom, build, into) {
  const input = ({ rows: { q, k, v }, heads, tokens, d, causal }) => {
    const shape = [tokens, heads * d];
    return { q: { data: q, shape }, k: { data: k, shape }, v: { data: v, shape }, heads, causal };
  };
  const fresh = {
    name: `loom, ${build}`,
    kind: "own",
    build,
    layout: "rows",
    prepare(task) {
      const options = input(task);
      return { run: () => loom.attend(options).output.data };
    },
  };
  const passed = {
    ...fresh,
    name: `loom, ${build}, into`,
    into: true,
    prepare(task) {
      const target = new Float32Array(task.rows.q.length);
      const options = { ...input(task), into: target };
      return {
        run() {
          loom.attend(options);
          return target;
        },
      };
    },
  };
  return into ? [fresh, passed] : [fresh];
}

/** Whether `attend` writes into an array that is passed. A core that does not know the option refuses it. */
export function takesInto(loom) {
  const into = new Float32Array(1);
  try {
    loom.attend({ q: [[1]], k: [[1]], v: [[3]], into });
  } catch {
    return false;
  }
  return into[0] === 3;
}
