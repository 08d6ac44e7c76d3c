import { foldCodePoint } from "./fold";
import type { NameMatch } from "./types";

/** Letters and digits of a text of any length, folded; nothing else. */
function fold(text: string): string {
  const pieces: string[] = [];
  for (const character of text.toLowerCase()) {
    const code = character.codePointAt(0)!;
    if (code >= 128) {
      const { letters } = foldCodePoint(code);
      if (letters !== " ") pieces.push(letters);
    } else if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57)) pieces.push(character);
    else if (code === 38) pieces.push("and");
  }
  return pieces.join("");
}

/**
 * Texts longer than any name are only asked whether they are the same text: letter for letter after folding. Linear
 * in their length.
 */
export function compareLong(submitted: string, held: string): NameMatch {
  const same = fold(submitted) === fold(held);
  return {
    score: same ? 97 : 0,
    matchType: same ? "exact" : "none",
    differences: [{ type: same ? "formatting" : "different_token", submitted, held }],
    parts: [
      {
        status: same ? "formatting" : "different",
        submittedStart: 0,
        submittedEnd: submitted.length,
        heldStart: 0,
        heldEnd: held.length,
      },
    ],
  };
}
