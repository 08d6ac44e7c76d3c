import { Name } from "./name";
import { parse } from "./parse";
import { readName } from "./read";
import type { Reading, Role } from "./reading";
import { Words } from "./words";

/** A name read and taken apart, for the tests of single steps. */
export function aName(text: string): Name {
  const name = new Name();
  readName(name.reading, text);
  parse(name);
  return name;
}

/** The folded letters of each word. */
export function wordsOf(reading: Reading): string[] {
  return Array.from({ length: reading.count }, (_, i) =>
    String.fromCharCode(...reading.codes.slice(reading.start[i]!, reading.start[i]! + reading.length[i]!)),
  );
}

/** The words that have a role, as the name writes them. */
export function withRole(name: Name, role: Role): string[] {
  const { reading } = name;
  const found: string[] = [];
  for (let i = 0; i < reading.count; i++) {
    if (reading.role[i] === role) found.push(reading.text.slice(reading.from[i]!, reading.to[i]!));
  }
  return found;
}

/** All words of a text as a list to compare. */
export function aList(text: string, personal: boolean): Words {
  const { reading } = aName(text);
  const words = new Words();
  words.clear(reading);
  for (let i = 0; i < reading.count; i++) words.add(i, personal);
  return words;
}

/** Letters of a text as the matcher keeps them. */
export const letters = (text: string): Uint16Array => Uint16Array.from(text, (letter) => letter.charCodeAt(0));
