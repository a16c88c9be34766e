// The text of the small programs that run a tool inside the private root.

/** @param {string} word */
const quote = (word) => `'${word.replaceAll("'", "'\\''")}'`;

/**
 * A shell program that runs `tool` inside `root`, seeing the root read-only (its library cache excepted), the project
 * it lies in, and nothing else of the host: no headers, no network, no environment can leak into a build.
 * It finds the project from its own place (build/toolchain/bin), so a copied tree uses its own files.
 *
 * @param {string} root the private root
 * @param {string} tool the tool's name in the root
 */
export const wrapperText = (root, tool) => `#!/bin/sh
root=${quote(root)}
project=$(CDPATH= cd -- "$(dirname -- "$0")/../../.." && pwd)
real=$(CDPATH= cd -- "$project" && pwd -P)
exec bwrap --die-with-parent --unshare-net --clearenv \\
  --tmpfs / --ro-bind "$root/usr" /usr --ro-bind "$root/etc" /etc \\
  --symlink usr/bin /bin --symlink usr/sbin /sbin --symlink usr/lib /lib --symlink usr/lib64 /lib64 \\
  --dev /dev --ro-bind /proc /proc --dir /tmp --bind "$root/var/cache/emscripten" /var/cache/emscripten \\
  --bind "$real" "$real" --bind "$project" "$project" --chdir "$PWD" \\
  --setenv PATH /usr/bin --setenv HOME /tmp --setenv LC_ALL C.UTF-8 --setenv EM_CACHE /var/cache/emscripten \\
  ${tool} "$@"
`;
