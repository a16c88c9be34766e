import { connectThemeSwitch } from "./theme.ts";

connectThemeSwitch();
