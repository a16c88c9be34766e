// Where things are, seen from this file, so that every script works from any working directory.
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's folder, without a slash at the end. */
export const projectRoot = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

/** @param {...string} parts a path inside the project */
export const inProject = (...parts) => join(projectRoot, ...parts);

/** The oldest Emscripten the project is built with; older ones lack `EMBIND_AOT` and module options it needs. */
export const wantedEmscripten = "6.0.5";

/** The folder of the private toolchain root: shared by all clones of a user, outside the project. */
export const privateRoot =
  process.env.LOOM_TOOLCHAIN ||
  join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "attention-loom", `toolchain-${wantedEmscripten}`);

/** Whether the place of the private root was named by the caller, who may have put something else there. */
export const privateRootIsNamed = Boolean(process.env.LOOM_TOOLCHAIN);
