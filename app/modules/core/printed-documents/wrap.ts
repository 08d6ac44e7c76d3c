/** Breaks text into lines of a width. Pure: the font's measure is given. */

/**
 * Breaks at blanks, and inside a word only where the word alone is too wide, such as a hash.
 *
 * @param widthOf width of a text in points
 * @param max width of a line in points
 * @returns at least one line
 */
export function wrapText(text: string, widthOf: (text: string) => number, max: number): string[] {
  return text.split("\n").flatMap((paragraph) => wrapParagraph(paragraph, widthOf, max));
}

function wrapParagraph(text: string, widthOf: (text: string) => number, max: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ").flatMap((each) => cutWord(each, widthOf, max))) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && widthOf(longer) > max) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

/** A word in pieces that fit a line each. */
function cutWord(word: string, widthOf: (text: string) => number, max: number): string[] {
  if (widthOf(word) <= max) return [word];
  const pieces: string[] = [];
  let piece = "";
  for (const letter of word) {
    if (piece !== "" && widthOf(piece + letter) > max) {
      pieces.push(piece);
      piece = "";
    }
    piece += letter;
  }
  return [...pieces, piece];
}
