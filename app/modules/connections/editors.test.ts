import { expect, test } from "vitest";
import type { ContactEdit } from "~/ports/accounting";
import { editsSince, findEditors, type Member, newestOf } from "./sync";

const member = (userId: string, firstName: string, lastName: string): Member => ({
  userId,
  firstName,
  lastName,
  email: `${userId}@harbour.example`,
});
const JO = member("jo", "Jo", "Nguyen");
const ZOE = member("zoe", "Zoë", "O'Brien");
const MEMBERS = [JO, ZOE];
const by = (...names: (string | null)[]): ContactEdit[] => names.map((name, at) => ({ by: name, at }));

test.each<[string, ContactEdit[], readonly Member[], string[], boolean]>([
  ["a member by name", by("Jo Nguyen"), MEMBERS, ["jo"], true],
  ["a member by address", by("JO@harbour.example"), MEMBERS, ["jo"], true],
  ["a member, last name first", by("Nguyen, Jo"), MEMBERS, ["jo"], true],
  ["a member without the marks of the name", by("zoe o brien"), MEMBERS, ["zoe"], true],
  ["two members, one after the other", by("Jo Nguyen", "Zoë O'Brien", "Jo Nguyen"), MEMBERS, ["jo", "zoe"], true],
  ["a stranger", by("J. N."), MEMBERS, [], false],
  ["part of a member's name", by("Jo"), MEMBERS, [], false],
  ["a member and then a stranger", by("Jo Nguyen", "Bookkeeper Pty Ltd"), MEMBERS, ["jo"], false],
  ["a member and then nobody", by("Jo Nguyen", null), MEMBERS, ["jo"], false],
  ["two members of the same name", by("Jo Nguyen"), [JO, member("other", "Jo", "Nguyen")], ["jo", "other"], false],
  ["an app", by("System Generated"), MEMBERS, [], false],
  ["signs only", by(" - "), [member("blank", "", "")], [], false],
  ["nothing", [], MEMBERS, [], false],
])("a history that names %s", (_, edits, members, ids, isKnown) => {
  expect(findEditors(edits, members)).toEqual({ ids, isKnown });
});

test("only edits since the supplier was last read with another account can be the change", () => {
  const edits = [
    { by: "Jo Nguyen", at: 10 },
    { by: "Zoë O'Brien", at: 30 },
  ];
  expect(editsSince(edits, null)).toEqual(edits);
  expect(editsSince(edits, 20)).toEqual([{ by: "Zoë O'Brien", at: 30 }]);
  // Their clock is behind ours: the change is among the earlier ones.
  expect(editsSince(edits, 40)).toEqual(edits);
});

test("the newest edit is found in whatever order they come", () => {
  expect(newestOf(by("first", "second"))).toEqual({ by: "second", at: 1 });
  expect(newestOf([...by("first", "second")].reverse())).toEqual({ by: "second", at: 1 });
  expect(newestOf([])).toBeNull();
});
