import { normalizeText } from "./text";

/**
 * Letters of other scripts that look like a Latin letter in common typefaces, and that letter: a selection from Unicode
 * Technical Standard 39 (section 4, "skeleton", confusables.txt), for lower-case text.
 */
export const LATIN_LOOK_ALIKES: Readonly<Record<string, string>> = {
  // Cyrillic
  а: "a",
  в: "b",
  ь: "b",
  с: "c",
  ԁ: "d",
  е: "e",
  ҽ: "e",
  һ: "h",
  н: "h",
  і: "i",
  ӏ: "l",
  ј: "j",
  к: "k",
  м: "m",
  п: "n",
  о: "o",
  р: "p",
  ԛ: "q",
  г: "r",
  ѕ: "s",
  т: "t",
  ц: "u",
  ѵ: "v",
  ԝ: "w",
  х: "x",
  у: "y",
  ү: "y",
  ё: "e",
  ї: "i",
  ѡ: "w",
  ғ: "f",
  ҝ: "k",
  ң: "h",
  // Greek
  α: "a",
  β: "b",
  ϲ: "c",
  ε: "e",
  η: "n",
  ι: "i",
  κ: "k",
  ν: "v",
  ο: "o",
  ρ: "p",
  σ: "o",
  τ: "t",
  υ: "u",
  χ: "x",
  γ: "y",
  ω: "w",
  ζ: "z",
  μ: "m",
  ϳ: "j",
  // Armenian
  օ: "o",
  ո: "n",
  ս: "u",
  հ: "h",
  ց: "g",
  զ: "q",
};

// Further characters that look like another: a capital i looks like l.
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(LATIN_LOOK_ALIKES).map(([letter, latin]) => [letter, latin === "i" ? "l" : latin]),
  ),
  // Latin letters that do not decompose, and IPA
  ɑ: "a",
  ɡ: "g",
  ı: "l",
  ɩ: "l",
  ł: "l",
  ø: "o",
  đ: "d",
  ħ: "h",
  ŧ: "t",
  ſ: "f",
  ƅ: "b",
  ɴ: "n",
  ʀ: "r",
  ꜱ: "s",
  ᴠ: "v",
  ᴡ: "w",
  ᴢ: "z",
  ᴄ: "c",
  ᴏ: "o",
  // digits and signs
  "0": "o",
  "1": "l",
  "5": "s",
  "|": "l",
  i: "l",
};

const LATIN_MARKS = /[\u0300-\u036f]/g;
const NOT_ASCII = /[^\x20-\x7e]/;
const SINGLE = /[^a-hj-z.-]/gu; // every letter that the table could know
const PAIR = /rn|vv|cl/g;
const PAIR_LOOKS_LIKE: Readonly<Record<string, string>> = { rn: "m", vv: "w", cl: "d" };

/**
 * What a lower-case text looks like at a glance. Two texts with equal skeletons can be taken for each other: `acrne`
 * and `acme`, `раураl` (Cyrillic) and `paypal`. Only for comparing; it is not a spelling of anything.
 *
 * Search indexes store skeletons, so changing the letters or pairs requires rebuilding their terms.
 *
 * Source: Unicode Technical Standard 39, "Unicode Security Mechanisms", section 4; plus letter pairs that run together.
 */
export function skeletonOf(text: string): string {
  const letters = NOT_ASCII.test(text) ? normalizeText(text, "NFKD").replace(LATIN_MARKS, "") : text;
  return letters
    .replace(SINGLE, (letter) => LOOKS_LIKE[letter] ?? letter)
    .replace(PAIR, (pair) => PAIR_LOOKS_LIKE[pair] ?? pair);
}
