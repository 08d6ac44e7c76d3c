import { auditLogs, outbox, paymentFiles, staffAccounts } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { LEASE_MS } from "~/modules/core/commands/job";
import { claimJob } from "~/modules/core/commands/outbox.server";
import { fingerprintPayee } from "~/modules/core/payee-keys";
import { editPayee } from "~/modules/payees/edit-payee.server";
import type { Actor } from "~/services-and-actor";
import { aMember } from "../../../../tests/support/factories";
import { dyingConnection, losingConnection } from "../../../../tests/support/lost-connections";
import { anAddedPayee, details, peek, refusal } from "../../../../tests/support/payees";
import { anAbaFile, anUploadedFile, bytesOf, linesOf } from "../../../../tests/support/payment-files";
import { aPaidPayment, aTrustedPayee } from "../../../../tests/support/payments";
import { type TestServices, testServices } from "../../../../tests/support/services";
import { aWorkbook, textRow } from "../../../../tests/support/workbook";
import { abandonFile } from "./abandon-file.server";
import { checkPaymentFile, readStoredFile } from "./check-file.server";
import { clearFile } from "./clear-file.server";
import { figuresNow, getBytes, getPaymentFile } from "./payment-file.server";
import { uploadFile } from "./upload-file.server";

async function anOffice() {
  const services = testServices();
  const actor = await aMember(services);
  return { services, actor };
}

const rulesOf = async (fileId: string) =>
  (await linesOf(fileId)).map(({ status, reasons }) => [status, reasons.map(({ rule }) => rule).join(" ")]);

test("each line is judged: a trusted payee is authorised, an unknown account and an unverified payee are held", async () => {
  const { services, actor } = await anOffice();
  const trusted = await aTrustedPayee(services, actor);
  const added = await anAddedPayee(services, actor, { name: "Kestrel Freight", accountName: "Kestrel Freight" });
  const stranger = details({ accountName: "Nobody Known Pty Ltd" });
  const { fileId } = await anUploadedFile(services, actor, [trusted.details, added.details, stranger]);
  expect(await rulesOf(fileId)).toEqual([
    ["authorised", ""],
    ["held", "payee_not_trusted"],
    ["held", "payee_not_trusted"],
  ]);
  expect(await getPaymentFile(services, actor, fileId)).toMatchObject({
    status: "open",
    lineCount: 3,
    checkedCount: 3,
    totalCents: 375_000,
    heldCount: 2,
    heldCents: 250_000,
    authorisedCount: 1,
    authorisedCents: 125_000,
  });
  const lines = await linesOf(fileId);
  expect(lines.map(({ line, payeeId }) => [line, payeeId])).toEqual([
    [2, trusted.payeeId],
    [3, added.payeeId],
    [4, null],
  ]);
});

test("a title cut at 32 columns is its payee's name, another name is not", async () => {
  const { services, actor } = await anOffice();
  const accountName = "Wattle Creek Electrical Services Holdings Pty Ltd";
  const { details: payee } = await aTrustedPayee(services, actor, { accountName });
  const { fileId } = await anUploadedFile(services, actor, [payee, { ...payee, accountName: "Someone Else" }]);
  expect(await rulesOf(fileId)).toEqual([
    ["held", "shared_account"],
    ["held", "name_differs shared_account"],
  ]);
  const alone = await anUploadedFile(services, actor, [payee]);
  expect(await rulesOf(alone.fileId)).toEqual([["authorised", ""]]);
});

test("an account with and without leading zeros is one account", async () => {
  const { services, actor } = await anOffice();
  const { details: payee } = await aTrustedPayee(services, actor, { accountNumber: "12345671" });
  const { fileId } = await anUploadedFile(services, actor, [{ ...payee, accountNumber: "012345671" }]);
  expect(await rulesOf(fileId)).toEqual([["authorised", ""]]);
});

test("the same payment twice in a file, and one that was made before, are held", async () => {
  const { services, actor } = await anOffice();
  const { details: payee, payeeId } = await aTrustedPayee(services, actor);
  await aPaidPayment(services, actor, payeeId, { reference: "INV 0042" });
  const { fileId } = await anUploadedFile(services, actor, [
    { ...payee, reference: "inv-42" },
    { ...payee, reference: "X-7" },
    { ...payee, reference: "x 7" },
  ]);
  expect(await rulesOf(fileId)).toEqual([
    ["held", "duplicate_payment"],
    ["authorised", ""],
    ["held", "duplicate_payment"],
  ]);
});

test("a payee's name with another account, a staff account, new details and a moved account are said", async () => {
  const { services, actor } = await anOffice();
  const known = await aTrustedPayee(services, actor);
  const staff = details({ accountName: "Imaginary Persons Unlimited" });
  const { accountFingerprint } = await fingerprintPayee(services, staff);
  await peek
    .insert(staffAccounts)
    .values({ organizationId: actor.organizationId, accountFingerprint, createdAt: services.clock.now() });
  const moved = await aTrustedPayee(services, actor, { name: "Gumleaf", accountName: "Gumleaf Catering" });
  await editPayee(services, actor, { payeeId: moved.payeeId, patch: { bsb: "774001" } });
  const { fileId } = await anUploadedFile(services, actor, [
    details({ accountName: known.details.accountName }),
    staff,
    { ...moved.details, bsb: "774001", indicator: "N" },
    moved.details,
  ]);
  const [first, second, third, fourth] = await rulesOf(fileId);
  expect(first).toEqual(["held", "payee_not_trusted known_name_new_account"]);
  expect(second).toEqual(["held", "payee_not_trusted staff_account"]);
  expect(third?.[1]).toContain("payment_company");
  expect(third?.[1]).toContain("details_changed");
  expect(third?.[1]).toContain("marked_new_details");
  expect(fourth?.[1]).toContain("payee_not_trusted");
  const changed = { changed: 2, changedCents: 250_000, toFormer: 1, firstPayments: 1, firstCents: 125_000 };
  const owner = { organizationId: actor.organizationId, fileId };
  expect(await figuresNow(services, owner)).toEqual({ ...changed, lastRun: null });
});

test("the uploaded bytes are kept encrypted and come back as they were", async () => {
  const { services, actor } = await anOffice();
  const { fileId, bytes } = await anUploadedFile(services, actor, [details({ accountName: "CAFÉ RIVE" })]);
  const { byteCount } = await getPaymentFile(services, actor, fileId);
  const owner = { organizationId: actor.organizationId, ownerId: fileId, byteCount };
  expect(await getBytes(services, owner)).toEqual(bytes);
});

test("the same file again, under another name too, leads to the first upload", async () => {
  const { services, actor } = await anOffice();
  const bytes = bytesOf(anAbaFile([details()]));
  const first = await uploadFile(services, actor, { name: "run.aba", bytes });
  const again = await uploadFile(services, actor, { name: "renamed.aba", bytes });
  expect(again).toEqual({ fileId: first.fileId, isNew: false, nameBefore: "run.aba" });
  const other = await aMember(services);
  expect(await uploadFile(services, other, { name: "run.aba", bytes })).toMatchObject({ isNew: true });
});

test("twenty uploads of one file at once make one file", async () => {
  const { services, actor } = await anOffice();
  const bytes = bytesOf(anAbaFile([details()]));
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => uploadFile(services, actor, { name: "run.aba", bytes })),
  );
  expect(new Set(answers.map(({ fileId }) => fileId)).size).toBe(1);
  expect(answers.filter(({ isNew }) => isNew)).toHaveLength(1);
});

test("a file that differs from an earlier one only in accounts is recognised, with the lines", async () => {
  const { services, actor } = await anOffice();
  const lines = [details(), details(), details()].map((each, at) => ({ ...each, reference: `A-${at}` }));
  await anUploadedFile(services, actor, lines, "friday.aba");
  const tampered = lines.map((each, at) => (at === 1 ? { ...each, accountNumber: "99999999" } : each));
  const { fileId } = await anUploadedFile(services, actor, tampered);
  const { problems } = await getPaymentFile(services, actor, fileId);
  expect(problems[0]?.message).toBe(
    "This file has the same payments as “friday.aba”, uploaded on 20 Nov 2026, to other accounts on line 3.",
  );
});

test("a file that cannot be read leaves nothing behind", async () => {
  const { services, actor } = await anOffice();
  const error = await refusal(uploadFile(services, actor, { name: "x", bytes: bytesOf("0 no header") }));
  expect(error).toMatchObject({ code: "MAPPING_REQUIRED", status: 400 });
  const cut = bytesOf(anAbaFile([details()]).slice(0, 200));
  expect(await refusal(uploadFile(services, actor, { name: "x", bytes: cut }))).toMatchObject({
    code: "INVALID_FILE",
    status: 400,
    message: "Line 2: the record has 78 columns. It must have 120.",
  });
  expect(await peek.select().from(paymentFiles).where(eq(paymentFiles.organizationId, actor.organizationId))).toEqual(
    [],
  );
});

test("the same Idempotency-Key is answered alike, another file with it 409", async () => {
  const { services, actor } = await anOffice();
  const input = { name: "run.aba", bytes: bytesOf(anAbaFile([details()])), idempotencyKey: "run-1" };
  const first = await uploadFile(services, actor, input);
  expect(await uploadFile(services, actor, input)).toEqual(first);
  const another = { ...input, bytes: bytesOf(anAbaFile([details()])) };
  expect(await refusal(uploadFile(services, actor, another))).toMatchObject({ code: "IDEMPOTENCY_CONFLICT" });
});

test("a table keeps the columns that were chosen for it, whatever is chosen since", async () => {
  const { services, actor } = await anOffice();
  const { details: payee } = await aTrustedPayee(services, actor);
  const text = (reference: string) =>
    `A,B,C,D,E,F\n${payee.accountName},${payee.bsb},${payee.accountNumber},10.00,${reference},x\n`;
  const columns = { accountName: 0, bsb: 1, accountNumber: 2, amount: 3, reference: 4 };
  const upload = (reference: string, mapping: typeof columns) =>
    uploadFile(services, actor, {
      name: "run.csv",
      bytes: bytesOf(text(reference)),
      columns: { signature: "a|b|c|d|e|f", mapping },
    });
  const { fileId } = await upload("one", columns);
  await upload("two", { ...columns, reference: 5 });
  const file = await getPaymentFile(services, actor, fileId);
  const { lines } = await readStoredFile(services, actor.organizationId, file);
  expect(lines.map(({ reference }) => reference)).toEqual(["one"]);
});

test("a file of which nothing was cleared is given up, and uploaded again", async () => {
  const { services, actor } = await anOffice();
  const { details: payee } = await aTrustedPayee(services, actor);
  const { fileId, bytes } = await anUploadedFile(services, actor, [payee]);
  const [first, second] = await Promise.all([
    abandonFile(services, actor, fileId),
    abandonFile(services, actor, fileId),
  ]);
  expect([first.status, second.status]).toEqual(["abandoned", "abandoned"]);
  const ofFile = and(eq(auditLogs.entityId, fileId), eq(auditLogs.action, "payment_file.abandoned"));
  expect(await peek.select().from(auditLogs).where(ofFile)).toHaveLength(1);
  expect(await refusal(clearFile(services, actor, { fileId }))).toMatchObject({ code: "FILE_NOT_OPEN", status: 409 });
  const again = await uploadFile(services, actor, { name: "run.aba", bytes });
  expect(again).toMatchObject({ isNew: true });
  await clearFile(services, actor, { fileId: again.fileId });
  expect(await refusal(abandonFile(services, actor, again.fileId))).toMatchObject({ code: "FILE_NOT_OPEN" });
});

/** Lines of a file that takes three steps of ten lines. */
const LINES = 25;

const many = () => {
  const base = details();
  return Array.from({ length: LINES }, (_, at) => ({
    ...base,
    accountNumber: String(30_000_000 + at),
    reference: `L${at}`,
  }));
};

/** Delivers the job that checks a file, and returns whether the job could be claimed. */
const deliveriesOf =
  (services: TestServices, fileId: string) =>
  async (using: TestServices = services, forMs = 15_000) => {
    const [row] = await peek.select({ id: outbox.id }).from(outbox).where(eq(outbox.subjectId, fileId));
    const job = row && (await claimJob(using, row.id));
    if (job) await checkPaymentFile(using, job, { linesPerStep: 10, forMs });
    return job !== undefined;
  };

async function aLongUpload(services: TestServices, actor: Actor, { forMs }: { forMs: number }) {
  const input = { name: "run.aba", bytes: bytesOf(anAbaFile(many())) };
  const { fileId } = await uploadFile(services, actor, input, { linesPerStep: 10, forMs });
  return { fileId, deliver: deliveriesOf(services, fileId) };
}

/** The file is open, each line exists once, and the audit trail has one entry with what the rules found. */
async function expectWhole(services: TestServices, actor: Actor, fileId: string) {
  const file = await getPaymentFile(services, actor, fileId);
  expect(file).toMatchObject({ status: "open", checkedCount: LINES, heldCount: LINES, authorisedCount: 0 });
  expect(file.heldCents).toBe(file.totalCents);
  expect(await linesOf(fileId)).toHaveLength(LINES);
  const ofFile = and(eq(auditLogs.entityId, fileId), eq(auditLogs.action, "payment_file.checked"));
  const told = await peek.select().from(auditLogs).where(ofFile);
  expect(told).toMatchObject([{ details: { lineCount: LINES, rules: [{ level: "hold", count: LINES }] } }]);
}

test("a file of several steps is checked by its upload, each line once, and no queue is told", async () => {
  const { services, actor } = await anOffice();
  const { fileId } = await aLongUpload(services, actor, { forMs: 5_000 });
  await expectWhole(services, actor, fileId);
  expect(services.sent).toEqual([]);
  const [job] = await peek.select().from(outbox).where(eq(outbox.subjectId, fileId));
  expect(job).toMatchObject({ status: "done", leaseId: null });
});

test("what an upload has no time for is checked by the queue, in steps, each line once", async () => {
  const { services, actor } = await anOffice();
  const { fileId, deliver } = await aLongUpload(services, actor, { forMs: 0 });
  expect(await getPaymentFile(services, actor, fileId)).toMatchObject({ status: "checking", checkedCount: 10 });
  expect(services.sent).toHaveLength(1);
  await deliver();
  expect(await deliver()).toBe(false);
  await expectWhole(services, actor, fileId);
});

test("a delivery that runs out of time leaves the rest to the next one", async () => {
  const { services, actor } = await anOffice();
  const { fileId, deliver } = await aLongUpload(services, actor, { forMs: 0 });
  await deliver(services, 0);
  expect(await getPaymentFile(services, actor, fileId)).toMatchObject({ status: "checking", checkedCount: 20 });
  await deliver();
  await expectWhole(services, actor, fileId);
});

test.each([1, 2, 3].flatMap((batch) => [["before", batch] as const, ["after", batch] as const]))(
  "an upload that dies %s its batch number %i leaves nothing, or a file that is checked to the end, each line once",
  async (when, batch) => {
    const { services, actor } = await anOffice();
    const bytes = bytesOf(anAbaFile(many()));
    const dying = { ...services, db: dyingConnection(services.db, { when, batch }) };
    const input = { name: "run.aba", bytes };
    await expect(uploadFile(dying, actor, input, { linesPerStep: 10, forMs: 5_000 })).rejects.toThrow("killed");
    const again = await uploadFile(services, actor, input, { linesPerStep: 10, forMs: 5_000 });
    expect(again.isNew).toBe(when === "before" && batch === 1);
    services.clock.advance(LEASE_MS);
    await deliveriesOf(services, again.fileId)();
    await expectWhole(services, actor, again.fileId);
  },
);

test("an upload whose check fails once is a success, and the queue checks the rest", async () => {
  const { services, actor } = await anOffice();
  const log = { ...services.log, warn: () => {} };
  const failing = { ...services, log, db: dyingConnection(services.db, { when: "before", batch: 2, times: 1 }) };
  const { fileId, deliver } = await aLongUpload(failing, actor, { forMs: 5_000 });
  expect(await getPaymentFile(services, actor, fileId)).toMatchObject({ status: "checking", checkedCount: 10 });
  services.clock.advance(LEASE_MS);
  await deliver(services);
  await expectWhole(services, actor, fileId);
});

test("a file that is given up while it is checked is checked no further", async () => {
  const { services, actor } = await anOffice();
  const { fileId, deliver } = await aLongUpload(services, actor, { forMs: 0 });
  await abandonFile(services, actor, fileId);
  await deliver();
  expect((await getPaymentFile(services, actor, fileId)).status).toBe("abandoned");
  expect(await linesOf(fileId)).toHaveLength(10);
});

test.each(["before", "after"] as const)(
  "a consumer whose connection is lost %s its commit checks each line once",
  async (when) => {
    const { services, actor } = await anOffice();
    const { fileId, deliver } = await aLongUpload(services, actor, { forMs: 0 });
    await deliver({ ...services, db: losingConnection(services.db, when) });
    services.clock.advance(120_000);
    await deliver();
    await expectWhole(services, actor, fileId);
  },
);

test("a consumer that dies holding the job, and two at once, check each line once", async () => {
  const { services, actor } = await anOffice();
  const { fileId, deliver } = await aLongUpload(services, actor, { forMs: 0 });
  const [row] = await peek.select({ id: outbox.id }).from(outbox).where(eq(outbox.subjectId, fileId));
  await claimJob(services, row?.id ?? ""); // dies here
  expect(await deliver()).toBe(false);
  services.clock.advance(120_000);
  const job = await claimJob(services, row?.id ?? "");
  if (!job) throw new Error("not due");
  await Promise.all([checkPaymentFile(services, job), checkPaymentFile(services, job)]);
  await expectWhole(services, actor, fileId);
});

test("a workbook of payments is refused in one plain sentence", async () => {
  const { services, actor } = await anOffice();
  const bytes = aWorkbook({
    sheets: { Run: textRow(1, "Account name", "BSB", "Account number", "Amount", "Reference") },
  });
  expect(await refusal(uploadFile(services, actor, { name: "run.xlsx", bytes }))).toMatchObject({
    code: "INVALID_FILE",
    status: 400,
    message: expect.stringMatching(
      /^This is an Excel workbook\..*save the sheet as “CSV UTF-8” and upload that file\.$/,
    ),
  });
});
