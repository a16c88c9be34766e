import { naive } from "../contestants/naive.mjs";
import { done, first } from "./first.mjs";

done(naive.prepare(first).run());
