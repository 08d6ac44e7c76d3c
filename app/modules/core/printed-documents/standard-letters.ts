import { foldDiacritics } from "~/kernel/text";
import { codeOf } from "./standard-fonts";

/** Text in the letters that the standard fonts of PDF readers have, which are those of Windows-1252. Pure. */

const isStandard = (letter: string): boolean => codeOf(letter) !== undefined;

/** The letter without its marks where that is standard, else a question mark. */
function replacementOf(letter: string): string {
  const plain = foldDiacritics(letter);
  if (plain === "" || ![...plain].every(isStandard)) return /\s/.test(letter) ? " " : "?";
  return letter === letter.toLowerCase() ? plain : plain.toUpperCase();
}

/** A text in standard letters; `isExact` is false where a letter had to be replaced: `Nguyễn` becomes `Nguyen`. */
export function toStandardLetters(text: string): { text: string; isExact: boolean } {
  let isExact = true;
  const letters = [...text.normalize("NFC")].map((letter) => {
    if (isStandard(letter)) return letter;
    isExact = false;
    return replacementOf(letter);
  });
  return { text: letters.join(""), isExact };
}
