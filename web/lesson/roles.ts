import { roleOf } from "../draw/tokens.ts";

/** The roles that have a colour, the same in formula, figure, prose and code. */
export const roles = ["query", "key", "value", "score", "weight", "output"] as const;
export type Role = (typeof roles)[number];

/** The names of the stages that a lesson may point at, in order. */
export const stageNames: readonly string[] = [
  "queries",
  "keys",
  "values",
  "scores",
  "scaled",
  "masked",
  "rowmax",
  "shifted",
  "exp",
  "rowsum",
  "weights",
  "output",
];

/** The colour role of a stage. */
export const roleOfStage = (stage: string): Role => {
  const letter = roleOf(stage);
  return roles.find((role) => role.startsWith(letter)) ?? "score";
};

/** The class that gives an element the colour of a role. */
export const roleClass = (role: Role): string => `loom-${role}`;

/** The rules of these classes, on the figure's own colours. */
export const roleCss = (): string =>
  roles.map((role) => `.${roleClass(role)}{color:var(--loom-${role.charAt(0)})}`).join("\n");
