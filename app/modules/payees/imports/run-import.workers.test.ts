import { auditLogs, outbox, payeeChanges, payeeImportParts, payees, payeeTerms, verifications } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { LEASE_MS } from "~/modules/core/commands/job";
import { claimJob } from "~/modules/core/commands/outbox.server";
import { listPayees } from "~/modules/payees/payee-list.server";
import type { Actor } from "~/services-and-actor";
import { aMember } from "../../../../tests/support/factories";
import {
  aFinishedImport,
  anUpload,
  aStartedImport,
  aTable,
  deliver,
  outcomesOf,
  readImport,
  resultsOf,
} from "../../../../tests/support/imports";
import { losingConnection } from "../../../../tests/support/lost-connections";
import { anAddedPayee, interrupted, peek, readPayee, refusal } from "../../../../tests/support/payees";
import { type TestServices, testServices } from "../../../../tests/support/services";
import { editPayee } from "../edit-payee.server";
import { pauseImport, resumeImport, stopImport } from "./control-import.server";
import { ROWS_PER_PART } from "./import";
import { readImportPage } from "./import-page.server";
import { runImport } from "./run-import.server";

async function anOffice() {
  const services = testServices();
  const actor = await aMember(services);
  return { services, actor };
}

let accounts = 70_000_000;
const anAccount = () => String(++accounts);

/** A row with an account that no other row has. */
const aRow = (name: string, rest = "") => `${name},${name} Pty Ltd,062-000,${anAccount()}${rest}`;

/** Enough rows for two full slices and part of a third. */
const manyRows = (count = ROWS_PER_PART * 2 + 3) => Array.from({ length: count }, (_, at) => aRow(`Bulk ${at}`));

const payeesOf = ({ organizationId }: Actor) =>
  peek.select().from(payees).where(eq(payees.organizationId, organizationId));

const jobOf = async (services: TestServices, importId: string) => {
  const [row] = await peek
    .select()
    .from(outbox)
    .where(and(eq(outbox.subjectId, importId), eq(outbox.status, "pending")));
  const job = row && (await claimJob(services, row.id));
  if (!job) throw new Error("no job waits");
  return job;
};

test("each row is added as a form would add it: payee, search terms, verification with evidence, audit entry", async () => {
  const { services, actor } = await anOffice();
  const account = anAccount();
  const row = `Kestrel Freight,Kestrel Freight Pty Ltd,062-000,${account},51 824 753 556,Accounts@Kestrel.example,0412 345 678,1 High St`;
  const importId = await aFinishedImport(services, actor, aTable(row));
  expect(await outcomesOf(importId)).toEqual([[2, "added", ""]]);
  const [payee] = await payeesOf(actor);
  expect(payee).toMatchObject({
    name: "Kestrel Freight",
    accountName: "Kestrel Freight Pty Ltd",
    bsb: "062000",
    accountNumber: account,
    abn: "51824753556",
    email: "accounts@kestrel.example",
    phone: "+61412345678",
    address: "1 High St",
    createdById: actor.userId,
    whitelisted: false,
    version: 1,
  });
  const payeeId = payee?.id ?? "";
  const [verification] = await peek.select().from(verifications).where(eq(verifications.payeeId, payeeId));
  expect(verification).toMatchObject({
    status: "pending",
    method: "manual",
    requestedById: actor.userId,
    evidence: { institution: { mnemonic: "CBA" }, lookalikes: [] },
  });
  const [entry] = await peek.select().from(auditLogs).where(eq(auditLogs.entityId, payeeId));
  expect(entry).toMatchObject({ action: "payee.added", userId: actor.userId });
  expect(entry?.details).toMatchObject({ importId, line: 2, accountNumber: `•••••${account.slice(-3)}` });
  const page = await listPayees(services, actor, { q: "kestr" });
  expect(page.payees.map(({ id }) => id)).toEqual([payeeId]);
  expect(await peek.select().from(payeeImportParts).where(eq(payeeImportParts.importId, importId))).toEqual([]);
});

test("the same file again changes nothing", async () => {
  const { services, actor } = await anOffice();
  const text = aTable(aRow("Wattle"), aRow("Banksia"));
  await aFinishedImport(services, actor, text);
  const before = await payeesOf(actor);
  const again = await aFinishedImport(services, actor, text);
  expect((await outcomesOf(again)).map(([, outcome]) => outcome)).toEqual(["unchanged", "unchanged"]);
  expect(await payeesOf(actor)).toEqual(before);
});

test("an account with and without its leading zeros is one payee, and a row sees the rows before it", async () => {
  const { services, actor } = await anOffice();
  const { payeeId } = await anAddedPayee(services, actor, {
    name: "Gum",
    accountName: "Gum",
    accountNumber: "012345671",
  });
  const account = anAccount();
  const importId = await aFinishedImport(
    services,
    actor,
    aTable("Gum,Gum,062-000,12345671", `Twice,Twice,082-001,${account}`, `Twice,Twice,082-001,0${account}`),
  );
  expect((await outcomesOf(importId)).map(([, outcome]) => outcome)).toEqual(["unchanged", "added", "unchanged"]);
  expect((await resultsOf(importId))[0]?.payeeId).toBe(payeeId);
  expect(await payeesOf(actor)).toHaveLength(2);
});

test("empty fields are filled, and what differs is listed and left", async () => {
  const { services, actor } = await anOffice();
  const { payeeId, details } = await anAddedPayee(services, actor, { email: null, address: "2 Low St" });
  const { name, accountName, accountNumber } = details;
  const text = aTable(`${name},${accountName},062000,${accountNumber},51824753556,new@wattlecreek.example,,9 Other St`);
  const importId = await aFinishedImport(services, actor, text);
  expect(await outcomesOf(importId)).toEqual([
    [2, "filled", "Filled in: ABN, Email. Address differs: we have “2 Low St”, the file has “9 Other St”."],
  ]);
  expect(await readPayee(payeeId)).toMatchObject({
    abn: "51824753556",
    email: "new@wattlecreek.example",
    address: "2 Low St",
    version: 2,
    contactChangedAt: services.clock.now(),
    bankDetailsChangedAt: null,
  });
  const changes = await peek.select().from(payeeChanges).where(eq(payeeChanges.payeeId, payeeId));
  expect(changes.map(({ field, oldValue, newValue }) => [field, oldValue, newValue])).toEqual([
    ["abn", null, "51824753556"],
    ["email", null, "new@wattlecreek.example"],
  ]);
  const found = await listPayees(services, actor, { q: "51824753556" });
  expect(found.payees.map(({ id }) => id)).toEqual([payeeId]);
});

test("a file never changes bank details: the same ABN and name with another account is listed for a person", async () => {
  const { services, actor } = await anOffice();
  const { payeeId } = await anAddedPayee(services, actor, { abn: "51824753556", name: "Kestrel" });
  const text = aTable(`KESTREL,Kestrel,082-001,${anAccount()},51824753556`);
  const importId = await aFinishedImport(services, actor, text);
  const [result] = await resultsOf(importId);
  expect(result).toMatchObject({ outcome: "differs", payeeId });
  expect(result?.message).toContain("already has different bank details. Nothing was changed.");
  expect(await payeesOf(actor)).toHaveLength(1);
});

test("rows without an account and rows that cannot be read say so, and repairs are noted", async () => {
  const { services, actor } = await anOffice();
  const [first, second] = [anAccount(), anAccount()];
  const importId = await aFinishedImport(
    services,
    actor,
    aTable(
      "Customer Only,,,",
      "Lost Digits,Lost Digits,062-000,1.23E+08",
      "Short Bsb,Short Bsb,06200,12345678",
      `Lost Zero,Lost Zero,62000,${first}.0`,
      `Bad Extras,Bad Extras,062-000,${second},51 824 753 557,nobody,x`,
    ),
  );
  const results = await outcomesOf(importId);
  expect(results.map(([, outcome]) => outcome)).toEqual(["no_account", "refused", "refused", "added", "added"]);
  expect(results[1]?.[2]).toContain("a spreadsheet replaced digits");
  expect(results[2]?.[2]).toBe("A BSB has 6 digits, such as 062-000; the row has “06200”.");
  expect(results[3]?.[2]).toContain("The BSB “62000” was read as 062-000");
  expect(results[4]?.[2]).toContain("“nobody” was left out");
  expect(await readImport(importId)).toMatchObject({
    status: "finished",
    rowCount: 5,
    doneCount: 5,
    addedCount: 2,
    noAccountCount: 1,
    refusedCount: 2,
    notedCount: 2,
  });
});

test("a large file is uploaded by slices, each payee once, and requests are answered in between", async () => {
  const { services, actor } = await anOffice();
  const importId = await aStartedImport(services, actor, aTable(...manyRows()));
  let answered = 0;
  const timer = setInterval(() => answered++, 0);
  await deliver(services, importId);
  clearInterval(timer);
  expect(await readImport(importId)).toMatchObject({
    status: "finished",
    partCount: 3,
    doneParts: 3,
    addedCount: 1003,
  });
  expect(answered).toBeGreaterThanOrEqual(2);
  expect(await payeesOf(actor)).toHaveLength(1003);
  expect(await resultsOf(importId)).toHaveLength(1003);
});

/** How many rows the database read for each slice of an import, in order. */
async function rowsReadBySlice(parts: number, numberOf: (row: number) => number) {
  const slices: { read: number }[] = [];
  const services = testServices({
    meter: (text, { rowsRead }) => {
      if (/^select .*from "payee_import_parts"/.test(text)) slices.push({ read: 0 });
      const slice = slices.at(-1);
      if (slice) slice.read += rowsRead;
    },
  });
  const actor = await aMember(services);
  const rows = Array.from(
    { length: ROWS_PER_PART * parts },
    (_, at) => `Bulk ${at},Bulk ${at},062-000,${numberOf(at)}`,
  );
  await aFinishedImport(services, actor, aTable(...rows));
  return slices.map(({ read }) => read);
}

test("a slice reads as many rows however many payees there are, with consecutive and with scattered account numbers", async () => {
  const [, second = 0, third = 0, ...more] = await rowsReadBySlice(3, (row) => 100_000_000 + row);
  const [, scattered = 0] = await rowsReadBySlice(2, (row) => 100_000_000 + ((row * 104_729) % 899_999_963));
  expect(more).toEqual([]);
  expect(second).toBeGreaterThan(ROWS_PER_PART);
  expect(third).toBeLessThan(second * 1.1);
  expect(third).toBeLessThan(scattered * 1.1);
});

test("a paused import stands still, goes on where it was, and a stopped one keeps what was added", async () => {
  const { services, actor } = await anOffice();
  const importId = await aStartedImport(services, actor, aTable(...manyRows()));
  await pauseImport(services, actor, importId);
  await deliver(services, importId);
  expect(await readImport(importId)).toMatchObject({ status: "paused", doneCount: 0 });
  await resumeImport(services, actor, importId);
  await deliver(services, importId);
  expect(await readImport(importId)).toMatchObject({ status: "finished", addedCount: 1003 });
  const other = await aStartedImport(services, actor, aTable(aRow("Never")));
  await stopImport(services, actor, other);
  await deliver(services, other);
  expect(await readImport(other)).toMatchObject({ status: "stopped", addedCount: 0 });
  expect(await refusal(resumeImport(services, actor, other))).toMatchObject({ code: "IMPORT_MOVED", status: 409 });
});

test("a consumer that dies in a slice leaves it to the next, and two at once take each slice once", async () => {
  const { services, actor } = await anOffice();
  const importId = await aStartedImport(services, actor, aTable(...manyRows(ROWS_PER_PART + 1)));
  const dead = await jobOf(services, importId);
  services.clock.advance(LEASE_MS + 1);
  const next = await jobOf(services, importId);
  await Promise.all([runImport(services, next), runImport(services, dead)]);
  await deliver(services, importId);
  expect(await readImport(importId)).toMatchObject({ status: "finished", addedCount: ROWS_PER_PART + 1 });
  expect(await payeesOf(actor)).toHaveLength(ROWS_PER_PART + 1);
});

test("connections that are lost while a slice is written double nothing", async () => {
  const { services, actor } = await anOffice();
  const importId = await aStartedImport(services, actor, aTable(aRow("Lost"), aRow("Found")));
  const job = await jobOf(services, importId);
  await runImport({ ...services, db: losingConnection(services.db, "after") }, job);
  await deliver(services, importId);
  expect(await readImport(importId)).toMatchObject({ status: "finished", addedCount: 2 });
  expect(await payeesOf(actor)).toHaveLength(2);
});

test("a payee that a person adds while its slice is looked up is found on the second look", async () => {
  const { services, actor } = await anOffice();
  const accountNumber = anAccount();
  const row = `Racing,Racing,062-000,${accountNumber}`;
  const importId = await aStartedImport(services, actor, aTable(row));
  const job = await jobOf(services, importId);
  const given = { name: "Racing", accountName: "Racing", bsb: "062000", accountNumber };
  const db = interrupted(services.db, () => anAddedPayee(services, actor, given));
  await runImport({ ...services, db }, job);
  expect((await outcomesOf(importId)).map(([, outcome]) => outcome)).toEqual(["unchanged"]);
  expect(await payeesOf(actor)).toHaveLength(1);
});

test("the same file uploaded again while it waits leads to the first, and a finished one begins anew", async () => {
  const { services, actor } = await anOffice();
  const text = aTable(aRow("Once"));
  const [first, second] = await Promise.all([anUpload(services, actor, text), anUpload(services, actor, text)]);
  expect(second.importId).toBe(first.importId);
  const elsewhere = await aMember(services);
  expect((await anUpload(services, elsewhere, text)).isNew).toBe(true);
});

test("payees of other organisations are never matched", async () => {
  const { services, actor } = await anOffice();
  const { details } = await anAddedPayee(services, await aMember(services), { abn: "51824753556" });
  const text = aTable(`${details.name},${details.accountName},062000,${details.accountNumber},51824753556`);
  const importId = await aFinishedImport(services, actor, text);
  expect((await outcomesOf(importId)).map(([, outcome]) => outcome)).toEqual(["added"]);
  const terms = await peek.select().from(payeeTerms).where(eq(payeeTerms.organizationId, actor.organizationId));
  expect(terms.length).toBeGreaterThan(3);
});

test("a row with another payee's former account says whose it was, before it is added and after", async () => {
  const { services, actor } = await anOffice();
  const account = anAccount();
  const { payeeId } = await anAddedPayee(services, actor, {
    name: "Cassowary Cleaning",
    bsb: "062000",
    accountNumber: account,
  });
  await editPayee(services, actor, { payeeId, patch: { accountNumber: anAccount() } });
  const file = aTable(`Bowerbird Events,Bowerbird Events Pty Ltd,062-000,${account}`, aRow("Kestrel Freight"));
  const said = /^This account was Cassowary Cleaning's until \d+ \w+ \d+\. Approving it needs a reason\.$/;
  const verdict = { word: "Another payee's former account", tone: "review", icon: "copy" };

  const { importId } = await anUpload(services, actor, file);
  const { preview } = await readImportPage(services, actor, importId, new URLSearchParams());
  expect(preview?.rows).toMatchObject([
    { line: 2, outcome: "added", message: expect.stringMatching(said), verdict },
    { line: 3, message: "", verdict: null },
  ]);

  const finished = await aFinishedImport(services, actor, file);
  expect(await outcomesOf(finished)).toEqual([
    [2, "added", expect.stringMatching(said)],
    [3, "added", ""],
  ]);
  const { results } = await readImportPage(services, actor, finished, new URLSearchParams());
  expect(results?.rows).toMatchObject([
    { line: 2, verdict },
    { line: 3, verdict: null },
  ]);
});
