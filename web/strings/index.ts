// Message catalogues. Every string that is seen or heard comes from here, in the language of the element's nearest `lang`.

import en from "./en.json" with { type: "json" };

/** The names of all messages. */
export type MessageKey = keyof typeof en;

type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;
type Catalogue = Readonly<Partial<Record<MessageKey, string | Plural>>>;

const catalogues: ReadonlyMap<string, Catalogue> = new Map<string, Catalogue>([["en", en]]);

/** A piece of a message. `role` says whose colour it has: q, k, v, w, s, o, or b for bold. */
export interface MessagePart {
  readonly text: string;
  readonly role?: string;
}

/** What a placeholder is replaced with. A number goes through Intl.NumberFormat and chooses the plural form. */
export type MessageParams = Readonly<Record<string, string | number>>;

/** The messages of one language. */
export interface Strings {
  readonly language: string;
  text(key: MessageKey, params?: MessageParams): string;
  /** The same in pieces, so that roles can be coloured: "{q|{row}} asks" has a piece of role q. */
  parts(key: MessageKey, params?: MessageParams): readonly MessagePart[];
  has(key: string): key is MessageKey;
}

/** A piece of a message before it is filled in: text, and names of what goes between. */
interface Piece {
  readonly words: readonly (string | { readonly name: string })[];
  readonly role?: string;
}

const made = new Map<string, Strings>();
const read = new Map<string, readonly Piece[]>();

/** A message taken apart. Kept, as a figure asks for the same few hundreds of times in each frame. */
function piecesOf(message: string): readonly Piece[] {
  const known = read.get(message);
  if (known) return known;
  const wordsOf = (text: string) =>
    // A pattern with a group leaves the names at odd places.
    text.split(/\{(\w+)\}/).map((word, i) => (i % 2 === 0 ? word : { name: word }));
  // A piece with a role, {q|text or {name}}, or text up to the next one.
  const found = message.matchAll(/\{(\w)\|((?:[^{}]|\{\w+\})*)\}|(?:(?!\{\w\|)[\s\S])+/g);
  const pieces = [...found].map(([piece, role, inner]) =>
    role === undefined ? { words: wordsOf(piece) } : { words: wordsOf(inner ?? ""), role },
  );
  read.set(message, pieces);
  return pieces;
}

/**
 * The messages for a language tag such as "de-AT". A language without a catalogue, or a message missing from it, falls
 * back to English.
 */
export function stringsFor(tag: string): Strings {
  const language = [tag.toLowerCase(), tag.toLowerCase().split(/[-_]/)[0] ?? ""].find((name) => catalogues.has(name));
  const known = language ?? "en";
  const found = made.get(known) ?? makeStrings(known, catalogues.get(known) ?? en);
  made.set(known, found);
  return found;
}

function makeStrings(language: string, catalogue: Catalogue): Strings {
  const numbers = new Intl.NumberFormat(language);
  const plurals = new Intl.PluralRules(language);

  const pattern = (key: MessageKey, params: MessageParams): string => {
    const message: string | Plural = catalogue[key] ?? en[key];
    if (typeof message === "string") return message;
    const n = typeof params.n === "number" ? params.n : Number.NaN;
    return message[plurals.select(n)] ?? message.other ?? "";
  };

  const value = (params: MessageParams, name: string): string => {
    const found = Object.hasOwn(params, name) ? params[name] : undefined;
    return typeof found === "number" ? numbers.format(found) : (found ?? "");
  };

  const parts = (key: MessageKey, params: MessageParams = {}): MessagePart[] =>
    piecesOf(pattern(key, params)).map(({ words, role }) => {
      const text = words.map((word) => (typeof word === "string" ? word : value(params, word.name))).join("");
      return role === undefined ? { text } : { text, role };
    });

  return {
    language,
    parts,
    text: (key, params = {}) =>
      parts(key, params)
        .map(({ text }) => text)
        .join(""),
    has: (key: string): key is MessageKey => Object.hasOwn(en, key),
  };
}
