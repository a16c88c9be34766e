// Brings Debian packages that are missing on the host, and says which when it may not.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { capture, mustRun } from "./run.mjs";
import { SetupError } from "./stage.mjs";

/** @typedef {{ package: string, file?: string, command?: string }} Need a command on PATH or a file, and who brings it */

/** @type {Record<"wasm" | "privateRoot" | "native" | "test", Need[]>} */
export const needs = {
  wasm: [
    { package: "cmake", command: "cmake" },
    { package: "ninja-build", command: "ninja" },
  ],
  privateRoot: [
    { package: "debootstrap", command: "debootstrap" },
    { package: "bubblewrap", command: "bwrap" },
  ],
  native: [
    { package: "clang", command: "clang++" },
    { package: "clang-format", command: "clang-format" },
    { package: "libgtest-dev", file: "/usr/include/gtest/gtest.h" },
    { package: "wabt", command: "wasm-objdump" },
  ],
  test: [
    { package: "chromium", command: "chromium" },
    { package: "fonts-liberation", file: "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf" },
    { package: "python3-numpy", file: "/usr/lib/python3/dist-packages/numpy/__init__.py" },
  ],
};

/** @param {string} command */
export function findCommand(command) {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/sbin"];
  return folders.map((folder) => join(folder || ".", command)).find((file) => existsSync(file));
}

const isThere = (/** @type {Need} */ need) =>
  need.command ? Boolean(findCommand(need.command)) : existsSync(/** @type {string} */ (need.file));

export const isRoot = () => process.getuid?.() === 0;
export const hasApt = () => existsSync("/usr/bin/apt-get");

/**
 * @param {Need[]} wanted
 * @param {(sentence: string) => void} say
 * @returns {Promise<string>} what was there or brought
 */
export async function bringPackages(wanted, say) {
  const missing = wanted.filter((need) => !isThere(need)).map((need) => need.package);
  if (missing.length === 0) return `${wanted.map((need) => need.package).join(", ")} present`;
  const list = missing.join(" ");
  if (!hasApt())
    throw new SetupError(
      `Missing on this machine: ${list}; install them with your system's package manager and run this again.`,
    );
  if (!isRoot())
    throw new SetupError(`Missing on this machine: ${list}; run "sudo apt-get install ${list}" and then this again.`);
  say(`installing ${missing.join(", ")}`);
  const sentence = `Could not install ${list}; run "apt-get update && apt-get install ${list}" by hand and see what it says.`;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C.UTF-8" };
  const wait = ["-o", "DPkg::Lock::Timeout=300"];
  // A stale list fails with 404 later, a fresh one costs seconds. One source that is out of reach does not matter
  // when the packages come from another, so only the installation decides.
  await capture("apt-get", [...wait, "update"], { env });
  await mustRun("apt", sentence, "apt-get", [...wait, "install", "-y", "--no-install-recommends", ...missing], { env });
  return `installed ${missing.join(", ")}`;
}
