// Colours and type as CSS custom properties, one set for figure, formula, prose and code. A colour says the role and
// nothing else; yellow is "now".

/** Whose number it is. */
export type Role = "q" | "k" | "v" | "w" | "s" | "o";

/** Light paper. Each role: a strong colour for text and lines; tints are mixed from `fill` into the ground. */
export const lightTokens = {
  "--loom-paper": "#fcfaf5",
  "--loom-card": "#fffefb",
  "--loom-ink": "#1f2126",
  "--loom-soft": "#5a5d64",
  "--loom-line": "#dedbd2",
  "--loom-edge": "#8a887f",
  "--loom-q": "#005f9e",
  "--loom-k": "#ad4200",
  "--loom-v": "#00704f",
  "--loom-w": "#7b3a96",
  "--loom-s": "#55585f",
  "--loom-o": "#1f2126",
  "--loom-q-fill": "#3f97d0",
  "--loom-k-fill": "#d9773a",
  "--loom-v-fill": "#2fa57e",
  "--loom-w-fill": "#b07cc6",
  "--loom-s-fill": "#8d9097",
  "--loom-o-fill": "#8b867b",
  "--loom-now": "#ffe9a3",
  "--loom-now-line": "#1f2126",
  "--loom-good": "#00704f",
  "--loom-bad": "#b3261e",
} as const;

/** Near-black. */
export const darkTokens: Record<keyof typeof lightTokens, string> = {
  "--loom-paper": "#14161a",
  "--loom-card": "#1a1c21",
  "--loom-ink": "#ecebe7",
  "--loom-soft": "#a9abb1",
  "--loom-line": "#33363d",
  "--loom-edge": "#7d8088",
  "--loom-q": "#6cb4f5",
  "--loom-k": "#ff9a62",
  "--loom-v": "#4fd1a1",
  "--loom-w": "#d3a3e6",
  "--loom-s": "#b9bcc3",
  "--loom-o": "#ecebe7",
  "--loom-q-fill": "#4c8cc4",
  "--loom-k-fill": "#c0713f",
  "--loom-v-fill": "#2f9473",
  "--loom-w-fill": "#9a66b3",
  "--loom-s-fill": "#85888f",
  "--loom-o-fill": "#8f8a80",
  "--loom-now": "#463b0b",
  "--loom-now-line": "#f4e7b0",
  "--loom-good": "#4fd1a1",
  "--loom-bad": "#ff8a80",
};

const declarations = (tokens: Record<string, string>) =>
  Object.entries(tokens)
    .map(([name, value]) => `${name}:${value}`)
    .join(";");

/** Share of the role's fill in a cell's ground, in percent, for magnitude steps 0 … 6. */
export const TINTS: readonly number[] = [7, 14, 22, 31, 40, 49, 58];

/**
 * The rules that define the colours on `selector` (":root", ":host"). They follow the used colour scheme of the element,
 * thus a run-time change as well; older engines follow the system's wish unless `theme` says otherwise.
 */
export function tokenCss(selector: string, themed: (theme: "light" | "dark") => string = () => selector): string {
  const names = Object.keys(lightTokens) as (keyof typeof lightTokens)[];
  const both = names.map((name) => `${name}:light-dark(${lightTokens[name]},${darkTokens[name]})`).join(";");
  const dark = declarations(darkTokens);
  return `${selector}{${declarations(lightTokens)}}
@supports (color:light-dark(red,red)){${selector}{${both}}}
@supports not (color:light-dark(red,red)){@media screen and (prefers-color-scheme:dark){${selector}{${dark}}}
${themed("light")}{${declarations(lightTokens)}}@media screen{${themed("dark")}{${dark}}}}`;
}

/** The role of every stage and input. Vectors that go in are grey until a projection gives them a role. */
const roles: ReadonlyMap<string, Role> = new Map<string, Role>([
  ["queries", "q"],
  ["wQ", "q"],
  ["bQ", "q"],
  ["keys", "k"],
  ["wK", "k"],
  ["bK", "k"],
  ["values", "v"],
  ["wV", "v"],
  ["bV", "v"],
  ["weights", "w"],
  ["output", "o"],
  ["concat", "o"],
  ["wO", "o"],
  ["bO", "o"],
  ["projected", "o"],
]);

/** Whose colour a stage or input has. */
export const roleOf = (name: string): Role => roles.get(name) ?? "s";
