import { expect, test } from "vitest";
import { findDescription, parseFilter, parsePage, parsePatch, parseUser, ScimError, USER_SCHEMA } from "./scim";

const PATCH = ["urn:ietf:params:scim:api:messages:2.0:PatchOp"];

/** Examples published by Entra ID and Okta. */
test.each([
  ["Entra, with a path and a text", { op: "Replace", path: "active", value: "False" }, { isActive: false }],
  ["Entra, of today's flag", { op: "Replace", path: "active", value: false }, { isActive: false }],
  ["Entra, give access again", { op: "Add", path: "active", value: "True" }, { isActive: true }],
  ["Okta, without a path", { op: "replace", value: { active: false } }, { isActive: false }],
  [
    "a path with the schema before it",
    { op: "replace", path: `${USER_SCHEMA}:active`, value: "false" },
    { isActive: false },
  ],
  ["Entra, a name by its path", { op: "Replace", path: "name.familyName", value: "Lee" }, { lastName: "Lee" }],
  [
    "names that are paths",
    { op: "Add", value: { "name.givenName": "Ada", "name.familyName": "Lee" } },
    { firstName: "Ada", lastName: "Lee" },
  ],
  ["what is not kept here", { op: "Add", path: 'emails[type eq "work"].value', value: "x@y.example" }, {}],
  [
    "an extension",
    { op: "Add", path: "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department", value: "AP" },
    {},
  ],
  ["a removal", { op: "remove", path: "title" }, {}],
])("PATCH: %s", (_, operation, expected) => {
  expect(parsePatch({ schemas: PATCH, Operations: [operation] })).toEqual(expected);
});

test.each([
  ["no operations", {}],
  ["an operation that does not exist", { Operations: [{ op: "swap", path: "active", value: true }] }],
  ["neither true nor false", { Operations: [{ op: "replace", path: "active", value: "perhaps" }] }],
  ["a text without a path", { Operations: [{ op: "replace", value: "x" }] }],
  ["a removal of everything", { Operations: [{ op: "remove" }] }],
])("a PATCH with %s is refused", (_, body) => {
  expect(() => parsePatch(body)).toThrow(ScimError);
});

test.each([
  ['userName eq "Ada@Bigcorp.example"', { by: "userName", value: "Ada@Bigcorp.example" }],
  ['USERNAME EQ "a"', { by: "userName", value: "a" }],
  ['externalId eq "a \\"quoted\\" one"', { by: "externalId", value: 'a "quoted" one' }],
  ['emails[type eq "work"].value eq "a@b.example"', { by: "userName", value: "a@b.example" }],
  ["", undefined],
])("filter %s", (text, expected) => {
  expect(parseFilter(text)).toEqual(expected);
});

test.each([
  'userName sw "a"',
  "userName eq a",
  'password eq "x"',
  'userName eq "a" or id eq "b"',
  'constructor eq "x"',
])("filter %s is refused", (text) => {
  expect(() => parseFilter(text)).toThrow(expect.objectContaining({ status: 400, scimType: "invalidFilter" }));
});

test.each([
  ["", { startIndex: 1, count: 100 }],
  ["startIndex=0&count=0", { startIndex: 1, count: 0 }],
  ["startIndex=-4&count=-1", { startIndex: 1, count: 0 }],
  ["startIndex=101&count=5000", { startIndex: 101, count: 100 }],
  ["startIndex=x&count=1e3", { startIndex: 1, count: 100 }],
])("page %s", (query, expected) => {
  expect(parsePage(new URLSearchParams(query))).toEqual(expected);
});

test("a person is read whatever the case of the attributes, and needs a name", () => {
  expect(parseUser({ UserName: "a@b.example", Active: "True", name: { givenname: "Ada" } })).toEqual({
    userName: "a@b.example",
    externalId: undefined,
    isActive: true,
    firstName: "Ada",
    lastName: undefined,
  });
  expect(() => parseUser({ active: true })).toThrow(expect.objectContaining({ status: 400, scimType: "invalidValue" }));
  expect(() => parseUser({ userName: 7 })).toThrow(ScimError);
});

test("the service describes itself", () => {
  const base = "https://app.example/scim/v2";
  expect(findDescription(["ServiceProviderConfig"], base)).toMatchObject({
    patch: { supported: true },
    bulk: { supported: false },
  });
  expect(findDescription(["ResourceTypes"], base)).toMatchObject({ totalResults: 1 });
  expect(findDescription(["ResourceTypes", "User"], base)).toMatchObject({ endpoint: "/Users", schema: USER_SCHEMA });
  expect(findDescription(["Schemas", USER_SCHEMA], base)).toMatchObject({ id: USER_SCHEMA });
  expect(findDescription(["Groups"], base)).toBeUndefined();
});
