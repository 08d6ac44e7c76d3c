/** Letters and digits of a text of any length, in lower case; "&" as "and", nothing else. */
const lettersOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/&/g, "and")
    .replace(/[^a-z0-9\u00c0-\u02ff\u0370-\u1fff\u2c00-\ufefe\uff10-\uffdc]+/g, "");

const GLANCE = 64;
const AMPERSAND = 38;

/** The first ASCII letters and digits of a text, in lower case, up to anything that needs more care. */
function opening(text: string): string {
  let start = "";
  for (let i = 0; i < text.length && start.length < GLANCE; i++) {
    const code = text.charCodeAt(i);
    if (code >= 128 || code === AMPERSAND) break;
    if ((code >= 48 && code <= 57) || (code >= 97 && code <= 122)) start += text[i];
    else if (code >= 65 && code <= 90) start += String.fromCharCode(code + 32);
  }
  return start;
}

/** Do two texts begin with different letters? Then they need not be read to the end. */
function opensDifferently(submitted: string, held: string): boolean {
  const a = opening(submitted);
  const b = opening(held);
  const shared = Math.min(a.length, b.length);
  return a.slice(0, shared) !== b.slice(0, shared);
}

/** Longer texts than this are not read: only identical ones are the same. */
const MAX_READ = 4096;
const LETTER = /[\p{L}\p{N}]/u;

/**
 * Texts longer than any name are only asked whether they are the same text, letter for letter. The work is bounded,
 * however long they are.
 */
export function isSameText(submitted: string, held: string): boolean {
  if (submitted.length > MAX_READ || held.length > MAX_READ) {
    return submitted === held && LETTER.test(submitted.slice(0, MAX_READ));
  }
  if (opensDifferently(submitted, held)) return false;
  const letters = lettersOf(submitted);
  return letters !== "" && letters === lettersOf(held);
}
