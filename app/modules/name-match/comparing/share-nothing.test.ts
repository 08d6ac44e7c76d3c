import { expect, test } from "vitest";
import { PreparedName } from "../prepared-name";
import { CharacterFolder } from "../reading/fold-characters";
import { shareNothing } from "./share-nothing";
import { Speller } from "./spelling";

const folder = new CharacterFolder();

function seen(text: string): PreparedName {
  const name = new PreparedName(folder);
  name.read(text);
  return name;
}

test.each([
  ["Jo Bellamy", "Kit Quince", true],
  ["Acme Tiles Pty Ltd", "Zorp Foods Pty Ltd", true],
  ["Acme Tiles & Sons Pty Ltd", "Zorp Foods and Farms Ltd", true],
  ["Jo Bellamy", "Jo Quince", false],
  ["Jo Bellamy", "Kit Belamy", false],
  ["Jo Smythe", "Kit Smith", false],
  ["Bob Bellamy", "Robert Quince", false],
  ["J Bellamy", "Jim Quince", false],
  ["Acme Burn", "Zorp Bum", false],
  ["Main St Foods", "Zorp Street", false],
  ["Acme Australian", "Zorp Australia", false],
  ["Life Line", "Zorp Lifeline", false],
  ["Acme Accounting", "Zorp Accountants", false],
  ["Acme Fly", "Zorp Flies", false],
  ["Gwennie Roe", "Gwendolyn Doe", false],
  ["BAC", "Tenterfield Angling Club of Bendigo", false],
  ["BAC Pty Ltd", "Bellbird Angling Club", false],
  ["Zorp (BAC)", "Bellbird Angling Club", false],
  ["Mar Ybellamy", "Maryb Ellamy", false],
  ["Ann Ybellamy", "Anny Bellamy", false],
  ["Acme 5", "Zorp", false],
  ["B0b Roe", "Kit Quince", false],
  ["Mr & Mrs Roe", "Kit Quince", false],
  ["Acme Rent", "Zorp Invoice", false],
  ["\u0418\u0432\u0430\u043d", "Kit Quince", false],
  ["and", "Kit Quince", false],
  [`Acme ${"xyz ".repeat(35)}`, "Kit Quince", false],
])("%j and %j share nothing: %s", (a, b, nothing) => {
  expect(shareNothing(seen(a), seen(b), new Speller())).toBe(nothing);
  expect(shareNothing(seen(b), seen(a), new Speller())).toBe(nothing);
});

test("a name of more words than there was room for is kept whole", () => {
  const many = "ab cd ef gh ij kl mn op qr st uv wx quince";
  expect(seen(many).glance().count).toBe(13);
  expect(shareNothing(seen(many), seen("Bellamy Quince"), new Speller())).toBe(false);
});
