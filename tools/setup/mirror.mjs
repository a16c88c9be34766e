// Which Debian mirror the host itself uses: the private root is made from the same one.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { capture } from "./run.mjs";

/** @returns {string[]} every address in the text of one apt source file, one-line or deb822 style */
export function addressesOf(/** @type {string} */ text) {
  const lines = text.split("\n").filter((line) => !line.trimStart().startsWith("#"));
  return lines.flatMap((line) => {
    const oneLine = /^\s*deb\s+(?:\[[^\]]*\]\s+)?(\S+)/.exec(line);
    if (oneLine?.[1]) return [oneLine[1]];
    const stanza = /^URIs:\s*(.+)$/i.exec(line);
    return stanza?.[1] ? stanza[1].trim().split(/\s+/) : [];
  });
}

/** The main Debian archive among apt's sources; "" leaves the choice to debootstrap. */
export function debianMirror() {
  if (process.env.LOOM_DEBIAN_MIRROR) return process.env.LOOM_DEBIAN_MIRROR;
  const folder = "/etc/apt/sources.list.d";
  const files = ["/etc/apt/sources.list"];
  if (existsSync(folder)) files.push(...readdirSync(folder).map((name) => `${folder}/${name}`));
  const addresses = files
    .filter((file) => /\.(list|sources)$/.test(file) && existsSync(file))
    .flatMap((file) => addressesOf(readFileSync(file, "utf8")));
  return addresses.find((address) => /^https?:\/\/.*\/debian\/?$/.test(address)) ?? "";
}

/** apt's own proxy setting, which debootstrap does not read by itself. */
export async function aptProxy() {
  const { out } = await capture("apt-config", ["shell", "PROXY", "Acquire::http::Proxy"]);
  return /^PROXY='(.*)'/m.exec(out)?.[1] ?? "";
}
