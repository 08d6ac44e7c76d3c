import { expect, test } from "vitest";
import type { ContactEdit } from "~/ports/accounting";
import { judgeEdits, type Member } from "./sync";

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
  expect(judgeEdits(edits, null, members).editors).toEqual({ ids, isKnown });
});

const AT_10_AND_30: ContactEdit[] = [
  { by: "Jo Nguyen", at: 10 },
  { by: "Zoë O'Brien", at: 30 },
];

test("only edits since the supplier was last read with another account can be the change", () => {
  expect(judgeEdits(AT_10_AND_30, 20, MEMBERS)).toEqual({
    newest: { by: "Zoë O'Brien", at: 30 },
    editors: { ids: ["zoe"], isKnown: true },
  });
});

test("where no edit is new enough nobody is named, and former editors count as editors all the same", () => {
  expect(judgeEdits(AT_10_AND_30, 40, MEMBERS)).toEqual({
    newest: null,
    editors: { ids: ["jo", "zoe"], isKnown: false },
  });
});

test("the newest edit is found in whatever order they come", () => {
  expect(judgeEdits(by("first", "second"), null, []).newest).toEqual({ by: "second", at: 1 });
  expect(judgeEdits([...by("first", "second")].reverse(), null, []).newest).toEqual({ by: "second", at: 1 });
  expect(judgeEdits([], null, []).newest).toBeNull();
});
