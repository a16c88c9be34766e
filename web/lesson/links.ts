import type { Place } from "./faults.ts";

/** A link from one page to another, or to a heading, to be checked once all pages are known. */
export interface InnerLink extends Place {
  /** The page's folder as written, such as `../02-scores/`; `""` for this page. */
  readonly path: string;
  /** The heading's id, decoded; `""` for none. */
  readonly fragment: string;
}

export type JudgedLink =
  | { readonly kind: "outer" }
  | { readonly kind: "inner"; readonly path: string; readonly fragment: string; readonly href: string }
  | { readonly kind: "refused"; readonly sentence: string };

const allowed = new Set(["http", "https", "mailto"]);

/**
 * Judges the address of a link, with entities decoded. Only http, https, mailto, `#heading` and relative addresses
 * pass; a relative address must not leave the folder the site lives in.
 */
export function judgeLink(url: string): JudgedLink {
  // Browsers drop these before they look for a scheme.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  const seen = url.replace(/[\u0000-\u0020\u007f]/gu, "");
  const scheme = /^([a-z][a-z0-9+.-]*):/iu.exec(seen)?.[1];
  if (scheme !== undefined) {
    return allowed.has(scheme.toLowerCase())
      ? { kind: "outer" }
      : refuse(`Links with ${scheme}: are not allowed; use http, https, mailto, # or a relative address.`);
  }
  if (seen === "") return refuse("This link has no address.");
  if (/^[/\\]/u.test(seen)) {
    return refuse("A link that begins with / breaks when the site lives in a sub-folder; write it relative.");
  }
  if (seen.includes("\\")) return refuse("A link is written with /, not with a backslash.");
  const [before = "", fragment = ""] = seen.split(/#(.*)/su);
  let decoded: string;
  try {
    decoded = decodeURIComponent(fragment);
  } catch {
    return refuse("The part behind # is not valid.");
  }
  // Between lessons one may also write the name of the file.
  const path = before.replace(/^(?:\.\/)?([a-z0-9-]+)\.md$/u, "../$1/");
  return { kind: "inner", path, fragment: decoded, href: fragment === "" ? path : `${path}#${fragment}` };
}

const refuse = (sentence: string): JudgedLink => ({ kind: "refused", sentence });

/** Link texts that say nothing when they are read out alone. */
const empty = new Set(["here", "click here", "this", "link", "this link", "more", "read more", ""]);

/** True when a link's text says where it goes. */
export const isMeaningful = (text: string): boolean => !empty.has(text.trim().toLowerCase());
