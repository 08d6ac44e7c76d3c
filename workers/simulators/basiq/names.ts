const LEGAL_FORM = /[\s,]+(?:pty\.?\s*(?:ltd|limited)\.?|p\/l|ltd\.?|limited|inc\.?|incorporated|co\.?)$/i;

/** Invented; whichever shares no word with the name asked about is used. */
const STRANGERS = ["MERIDIAN QUILTING SUPPLIES PTY LTD", "OLUWASEUN BRANDTZAEG", "TAMARISK GLASSWORKS COOPERATIVE"];

/** A name as core banking systems print it. */
export function asBankWrites(name: string): string {
  return name.trim().replace(/\s+/g, " ").toUpperCase();
}

/** Another way a bank could hold the same name: without the legal form, with an initial, or with a slip of the pen. */
export function closeForm(name: string): string {
  const written = asBankWrites(name);
  const bare = written.replace(LEGAL_FORM, "");
  if (bare !== written) return bare;
  const [given = "", ...rest] = written.split(" ");
  if (rest.length > 0 && rest.length < 3 && /^[A-Z]{2,}$/.test(given)) return [given[0], ...rest].join(" ");
  return withSlip(written);
}

/** Two letters in the middle of the longest word exchanged; a repeated letter dropped or doubled where that changes nothing. */
function withSlip(name: string): string {
  const words = name.split(" ");
  const longest = words.reduce((found, word) => (word.length > found.length ? word : found), "");
  const middle = Math.max(1, Math.floor(longest.length / 2));
  const [a = "", b = ""] = [longest[middle - 1], longest[middle]];
  const slipped =
    a !== b && b !== "" ? longest.slice(0, middle - 1) + b + a + longest.slice(middle + 1) : `${longest}${a}`;
  return words.map((word) => (word === longest ? slipped : word)).join(" ");
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
