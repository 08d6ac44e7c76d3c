import { expect, test } from "vitest";
import { keepWords, plainCharacter } from "./page-text";

/** Reads words as a page's characters are read. */
function asRead(words: string): string {
  const chars: Parameters<typeof keepWords>[0] = [];
  let y = 0;
  for (const [at, letter] of [...words].entries()) {
    const text = plainCharacter(letter.codePointAt(0) ?? 0);
    if (letter === "\n") y += 12;
    if (text === "") continue;
    const written = text === letter ? {} : { written: letter };
    chars.push({ text, ...written, isAfterBlank: words[at - 1] === " ", origin: { x: at * 5, y: y * 5 }, size: 10 });
  }
  keepWords(chars);
  return chars.map(({ text, isAfterBlank }) => (isAfterBlank ? ` ${text}` : text)).join("");
}

test.each([
  ["Στεφανίδης Stone", "Στεφανίδης Stone"],
  ["NAME\nΣτεφανίδης", "NAMEΣτεφανίδης"],
  ["Роман Ковальчук", "Роман Ковальчук"],
  ["ВSВ 062-000", "BSB 062-000"],
  ["ВЅВ 062-000", "BSB 062-000"],
  ["φВЅВ:062-000", "φBSB:062-000"],
  ["Kаrri Flооrs", "Karri Floors"],
])("letters of other scripts: %j is read as %j", (written, read) => {
  expect(asRead(written)).toBe(read);
});
