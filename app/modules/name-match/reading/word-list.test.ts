import { expect, test } from "vitest";
import { lettersOf, listed, read } from "../testing";
import { WordList } from "./word-list";

const names = (list: WordList) => listed(list).map(lettersOf).join(" ");

function aList(text: string): WordList {
  const list = new WordList();
  for (const word of listed(read(text).words)) list.add(word);
  return list;
}

test("a list that is filled again has the new words alone", () => {
  const list = aList("jo kit roe");
  const old = list.at(0);
  list.clear();
  expect([list.first, list.count, list.last]).toEqual([undefined, 0, undefined]);
  expect(list.reuse()).toBe(old);
  list.add(read("doe").word(0));
  expect(names(list)).toBe("jo doe");
  list.add(read("fry").word(0));
  expect(list.reuse()).toBeUndefined();
  expect(names(list)).toBe("jo doe fry");
});

test("words are moved and taken out", () => {
  const list = aList("jo kit roe");
  list.moveLast(1);
  expect(names(list)).toBe("jo roe kit");
  list.rotate(1);
  expect(names(list)).toBe("roe kit jo");
  list.rotate(0);
  expect(names(list)).toBe("roe kit jo");
  list.drop(0, 2);
  expect([names(list), list.first === list.last, list.some((word) => word.length === 3)]).toEqual(["jo", true, false]);
});

test("a word beyond the end cannot be asked for", () => {
  expect(() => aList("jo kit").at(2)).toThrow("The list has no word 2.");
  expect(() => new WordList().moveLast(0)).not.toThrow();
  expect(new WordList().count).toBe(0);
});
