import { tiled } from "../contestants/tiled.mjs";
import { done, first } from "./first.mjs";

done(tiled.prepare(first).run());
