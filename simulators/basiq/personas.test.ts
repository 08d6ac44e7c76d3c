import { describe, expect, test } from "vitest";
import { createBench } from "../../tests/support/simulator-bench";
import { isPersona, PERSONAS, type Persona } from "./personas";

/** What the adapter makes of a persona, over the wire. */
async function sharedAs(persona: Persona, accountName = "Acme Pty Ltd") {
  const bench = createBench();
  const submitted = { accountName, bsb: "062000", accountNumber: "012345678" };
  const check = await bench.startCheck({ submitted });
  const answer = await bench.postJson("/basiq/complete", { verificationId: check.verificationId, persona });
  expect(answer.status).toBe(200);
  const progress = await bench.bankData.getProgress(check.providerUserId);
  return { progress, ...(await bench.bankData.getSharedData(check.providerUserId)) };
}

const asked = { bsb: "062000", accountNumber: "012345678", status: "available", isOwned: true, ownership: "one" };

describe("personas that share the account", () => {
  test.each<[Persona, string, object]>([
    ["match", "Acme Pty Ltd", { ...asked, accountHolder: "ACME PTY LTD" }],
    ["close", "Acme Pty Ltd", { ...asked, accountHolder: "ACME" }],
    ["close", "Jane Citizen", { ...asked, accountHolder: "J CITIZEN" }],
    ["close", "Riverbend Bakery and Cafe", { ...asked, accountHolder: "RIVREBEND BAKERY AND CAFE" }],
    ["no_match", "Acme Pty Ltd", { ...asked, accountHolder: "MERIDIAN QUILTING SUPPLIES PTY LTD" }],
    ["name_withheld", "Acme Pty Ltd", { ...asked, accountHolder: undefined }],
    ["closed", "Acme Pty Ltd", { ...asked, status: "closed", accountHolder: "ACME PTY LTD" }],
    ["joint", "Jane Citizen", { ...asked, ownership: "two", accountHolder: "JANE CITIZEN & ROBIN SAMPLE" }],
    ["business", "Acme Pty Ltd", { ...asked, accountHolder: undefined }],
  ])("%s for %s", async (persona, accountName, expected) => {
    const { progress, accounts } = await sharedAs(persona, accountName);
    expect(progress.state).toBe("succeeded");
    expect(accounts[0]).toMatchObject(expected);
  });

  test("masked shows the last four digits and nothing else of the number", async () => {
    const { accounts } = await sharedAs("masked");
    expect(accounts[0]).toMatchObject({ visibleDigits: "5678", accountHolder: "ACME PTY LTD" });
    expect(accounts[0]).toMatchObject({ bsb: undefined });
    expect(accounts[0]).not.toHaveProperty("accountNumber");
  });

  test("not_shared shares other accounts of the same bank", async () => {
    const { accounts } = await sharedAs("not_shared");
    expect(accounts.map(({ accountNumber }) => accountNumber)).toEqual(["345678901"]);
  });

  test("business names the organisation and its ABN", async () => {
    const { identities } = await sharedAs("business");
    expect(identities).toMatchObject([
      { fullName: undefined, businessName: "ACME", legalName: "ACME PTY LTD", abn: "51824753556" },
    ]);
  });

  test("name_withheld names nobody anywhere", async () => {
    const { accounts, identities } = await sharedAs("name_withheld");
    expect(accounts.map(({ accountHolder }) => accountHolder)).toEqual([undefined, undefined]);
    expect(identities).toMatchObject([{ fullName: undefined, legalName: undefined }]);
  });

  test("every customer has a card, which the adapter leaves out", async () => {
    const { accounts } = await sharedAs("match");
    expect(accounts).toHaveLength(2);
  });
});

describe("personas that share nothing", () => {
  test.each<[Persona, object]>([
    ["refused", { state: "failed", code: "authorization-failed", retryable: false }],
    ["outage", { state: "failed", code: "service-unavailable", retryable: true }],
    ["never", { state: "running" }],
  ])("%s", async (persona, expected) => {
    const { progress, accounts, identities } = await sharedAs(persona);
    expect(progress).toMatchObject(expected);
    expect(accounts).toEqual([]);
    expect(identities).toEqual([]);
  });
});

test("only the personas are personas", () => {
  expect(Object.keys(PERSONAS).every(isPersona)).toBe(true);
  expect(isPersona("toString")).toBe(false);
  expect(isPersona(undefined)).toBe(false);
});
