import { expect, test } from "vitest";
import { toSharedAccount, toSharedIdentity } from "./basiq";
import { accountSchema, identitySchema } from "./basiq-client";

const anAccount = (fields: object) =>
  accountSchema.parse({ id: "a1", connection: "c1", bsb: "062000", unmaskedAccNum: "12345678", ...fields });
const connections = new Set(["c1"]);

test.each(["credit-card", "mortgage", "loan", "investment", "insurance"])("a %s is left out", (type) => {
  expect(toSharedAccount(anAccount({ class: { type } }), connections)).toBeUndefined();
});

test.each(["transaction", "savings", "term-deposit", "foreign", "unknown", "something new"])(
  "a %s account is kept",
  (type) => {
    expect(toSharedAccount(anAccount({ class: { type } }), connections)).toMatchObject({
      id: "a1",
      connectionId: "c1",
    });
  },
);

test("an account of a connection that is not the payee's is left out", () => {
  expect(toSharedAccount(anAccount({ connection: "c2" }), connections)).toBeUndefined();
  expect(toSharedAccount(anAccount({ connection: null }), connections)).toBeUndefined();
});

test.each([
  ["available", "available"],
  ["unavailable", "closed"],
  [undefined, "available"],
  ["frozen", "unknown"],
])("status %s is %s", (status, expected) => {
  expect(toSharedAccount(anAccount({ status }), connections)?.status).toBe(expected);
});

test.each([
  ["ONE_PARTY", "one"],
  ["TWO_PARTY", "two"],
  ["MANY_PARTY", "many"],
  ["OTHER", "unknown"],
  [undefined, "unknown"],
])("ownership %s is %s", (accountOwnership, expected) => {
  expect(toSharedAccount(anAccount({ accountOwnership }), connections)?.ownership).toBe(expected);
});

test.each([null, "", "  "])("the holder %j counts as withheld", (accountHolder) => {
  expect(toSharedAccount(anAccount({ accountHolder }), connections)?.accountHolder).toBeUndefined();
});

test("an account that says nothing of its owner is not called foreign", () => {
  expect(toSharedAccount(anAccount({}), connections)?.isOwned).toBeUndefined();
  expect(toSharedAccount(anAccount({ isOwned: false }), connections)?.isOwned).toBe(false);
});

test("an identity without a full name is put together from its parts", () => {
  const identity = identitySchema.parse({ firstName: "Jane", lastName: "Citizen", connectionID: "c1" });
  expect(toSharedIdentity(identity, connections)?.fullName).toBe("Jane Citizen");
});

test("an ABN is kept only when its check digits are right", () => {
  const organisation = { businessName: "Acme", legalName: "ACME PTY LTD" };
  const withAbn = (abn: string) =>
    toSharedIdentity(identitySchema.parse({ connectionID: "c1", organisation: { ...organisation, abn } }), connections);
  expect(withAbn("51 824 753 556")?.abn).toBe("51824753556");
  expect(withAbn("51 824 753 557")?.abn).toBeUndefined();
});

test("an identity without a connection belongs to the only one there is", () => {
  const identity = identitySchema.parse({ fullName: "JANE CITIZEN" });
  expect(toSharedIdentity(identity, connections)?.connectionId).toBe("c1");
  expect(toSharedIdentity(identity, new Set(["c1", "c2"]))).toBeUndefined();
});
