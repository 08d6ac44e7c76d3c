const LEGAL_FORM = /[\s,]+(?:pty\.?\s*(?:ltd|limited)\.?|p\/l|ltd\.?|limited|inc\.?|incorporated|co\.?)$/i;

/** Two or three plain words, the given name spelt out. */
const PERSON = /^[A-Z]{2,}(?: [A-Z'-]+){1,2}$/;

/** Words that show that two or three plain words name a business after all. */
const TRADE_WORDS = new Set(
  "AND BAKERY BUILDERS CAFE CLEANING CLUB CONSULTING ELECTRICAL FAMILY FOUNDATION GROUP HOLDINGS PARTNERS PLUMBING SERVICES SONS SUPPLIES TRADING TRANSPORT TRUST".split(
    " ",
  ),
);

/** Invented; whichever shares no word with the name asked about is used. */
const STRANGERS = ["MERIDIAN QUILTING SUPPLIES PTY LTD", "OLUWASEUN BRANDTZAEG", "TAMARISK GLASSWORKS COOPERATIVE"];

/** A name as core banking systems print it. */
export function asBankWrites(name: string): string {
  return name.trim().replace(/\s+/g, " ").toUpperCase();
}

/** Another way a bank could hold the same name: without the legal form, with an initial, or with a spelling mistake. */
export function closeForm(name: string): string {
  const written = asBankWrites(name);
  const bare = written.replace(LEGAL_FORM, "");
  if (bare !== written) return bare;
  const words = written.split(" ");
  const isPerson = PERSON.test(written) && !words.some((word) => TRADE_WORDS.has(word));
  return isPerson ? [written[0], ...words.slice(1)].join(" ") : withSlip(written);
}

/** Two neighbouring letters in the middle of the longest word exchanged; where that changes nothing, its last letter doubled. */
function withSlip(name: string): string {
  const longest = (name.match(/\p{L}+/gu) ?? [name]).reduce((found, word) =>
    word.length > found.length ? word : found,
  );
  const start = name.indexOf(longest);
  for (let at = start + Math.floor(longest.length / 2); at < start + longest.length; at++) {
    const [a = "", b = ""] = [name[at - 1], name[at]];
    if (at > start && a !== b) return name.slice(0, at - 1) + b + a + name.slice(at + 1);
  }
  const end = start + longest.length;
  return name.slice(0, end) + name[end - 1] + name.slice(end);
}

/** An invented name that has no word in common with the one given. */
export function unrelatedName(name: string): string {
  const words = new Set(asBankWrites(name).split(/[^A-Z0-9]+/));
  const stranger = STRANGERS.find(
    (other) => !other.split(" ").some((word) => words.has(word) && !/^(PTY|LTD)$/.test(word)),
  );
  return stranger ?? "ZEPHYRINE VANTONGEREN";
}

/** A second person who holds the account too. */
export const SECOND_HOLDER = "ROBIN SAMPLE";
