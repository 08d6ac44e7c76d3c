import { expect, test } from "vitest";
import { firstIdOf, isId } from "./ids";

test.each([
  "123e4567-e89b-42d3-a456-426614174000",
  "0193e4a0-7b1c-7def-8abc-0123456789ab",
  "00000000-0000-0000-0000-000000000000",
])("%s is an id", (text) => {
  expect(isId(text)).toBe(true);
});

test("every id that the platform makes is one", () => {
  for (let i = 0; i < 100; i++) expect(isId(crypto.randomUUID())).toBe(true);
});

test.each([
  "",
  "1",
  "123E4567-E89B-42D3-A456-426614174000",
  "123e4567e89b42d3a456426614174000",
  "{123e4567-e89b-42d3-a456-426614174000}",
  "123e4567-e89b-42d3-a456-426614174000\n",
  " 123e4567-e89b-42d3-a456-426614174000",
  "123e4567-e89b-42d3-a456-42661417400g",
  "123e4567-e89b-42d3-a456-4266141740000",
])("%j is none", (text) => {
  expect(isId(text)).toBe(false);
});

test("an id made at an instant is between the first one of it and the first one of the next", () => {
  const id = "0193e4a0-7b1c-7def-8abc-0123456789ab";
  const at = 0x0193e4a07b1c;
  expect(isId(firstIdOf(at))).toBe(true);
  expect([firstIdOf(at + 1), id, firstIdOf(at)].sort()).toEqual([firstIdOf(at), id, firstIdOf(at + 1)]);
});
