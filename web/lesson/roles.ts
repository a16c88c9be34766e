import type { Role } from "../draw/tokens.ts";

/** What a lesson calls the roles that have a colour, in formulas (`\query{Q}`) and in the names of classes. */
export const roleWords: Readonly<Record<Role, string>> = {
  q: "query",
  k: "key",
  v: "value",
  s: "score",
  w: "weight",
  o: "output",
};
const roles = Object.keys(roleWords) as Role[];

/** The class that gives an element the colour of a role. */
export const roleClass = (role: Role): string => `loom-${roleWords[role]}`;

/** The classes of all roles. */
export const roleClasses: ReadonlySet<string> = new Set(roles.map(roleClass));

/** TeX macros that colour by role: `\query{Q}` and so on. */
export const roleMacros: Readonly<Record<string, string>> = Object.fromEntries(
  roles.map((role) => [`\\${roleWords[role]}`, `\\class{${roleClass(role)}}{#1}`]),
);

/** The rules of these classes, on the figure's own colours. */
export const roleCss = (): string => roles.map((role) => `.${roleClass(role)}{color:var(--loom-${role})}`).join("\n");
