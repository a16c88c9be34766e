import en from "./strings/en.json" with { type: "json" };

type Catalogue = Readonly<Record<string, string>>;
const english: Catalogue = en;
const catalogues: ReadonlyMap<string, Catalogue> = new Map([["en", english]]);

/** A fixed text of the pages, with `{name}` filled in. Throws for a key that no catalogue has. */
export type Words = (key: string, values?: Readonly<Record<string, string | number>>) => string;

/** The catalogue of a language; English where there is none, key by key. */
export function wordsFor(lang: string): Words {
  const own = catalogues.get(lang) ?? catalogues.get(lang.split("-")[0] ?? "") ?? english;
  return (key, values = {}) => {
    const text = own[key] ?? english[key];
    if (text === undefined) throw new Error(`The catalogue has no text ${key}.`);
    return text.replace(/\{(\w+)\}/gu, (whole, name: string) => String(values[name] ?? whole));
  };
}
