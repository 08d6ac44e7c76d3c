import {
  organizationPolicies,
  paymentFileClearings,
  paymentFileLines,
  paymentFileSettings,
  paymentFiles,
  paymentRecords,
} from "@db/database";
import { eq } from "drizzle-orm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sha256Hex } from "~/kernel/encodings";
import { editPayee } from "~/modules/payees/edit-payee.server";
import type { Actor } from "~/services-and-actor";
import { aMember } from "../../../../tests/support/factories";
import { losingConnection } from "../../../../tests/support/lost-connections";
import { aColleague, anAddedPayee, details, interrupted, peek, refusal } from "../../../../tests/support/payees";
import { type ALine, anAbaFile, anUploadedFile, bytesOf, linesOf } from "../../../../tests/support/payment-files";
import { aPaidPayment, aPayment, aTrustedPayee, paymentsOf } from "../../../../tests/support/payments";
import { type TestServices, testServices } from "../../../../tests/support/services";
import { readAba } from "./aba";
import { clearFile } from "./clear-file.server";
import { decideLines } from "./decide-lines.server";
import { figuresNow, getBytes, getPaymentFile } from "./payment-file.server";
import { uploadFile } from "./upload-file.server";

async function anOffice() {
  const services = testServices();
  const actor = await aMember(services, { firstName: "Una" });
  const approver = await aColleague(services, actor, { firstName: "Ava" });
  return { services, actor, approver };
}

/** A file whose line 2 is authorised, and whose lines 3 and 4 are held. */
async function aHalfHeldFile() {
  const office = await anOffice();
  const { services, actor } = office;
  const trusted = await aTrustedPayee(services, actor);
  const added = await anAddedPayee(services, actor, { name: "Kestrel Freight", accountName: "Kestrel Freight" });
  const stranger = details({ accountName: "Imaginary Persons Unlimited" });
  const { fileId, bytes } = await anUploadedFile(services, actor, [
    { ...trusted.details, amount: 100_00 },
    { ...added.details, amount: 200_00 },
    { ...stranger, amount: 300_00 },
  ]);
  return { ...office, fileId, bytes, trusted, added };
}

async function requireSecondPerson(actor: Actor) {
  await peek
    .insert(organizationPolicies)
    .values({ organizationId: actor.organizationId, secondPersonRequired: true, updatedAt: 1 });
}

const approve = (services: TestServices, actor: Actor, fileId: string, lines: number[]) =>
  decideLines(services, actor, { fileId, choice: { lines }, decision: "approve", reason: "Called them" });

async function clearedLines(services: TestServices, { organizationId }: Actor, clearingId: string) {
  const [row] = await peek.select().from(paymentFileClearings).where(eq(paymentFileClearings.id, clearingId));
  if (!row) throw new Error("no such clearing");
  const bytes = await getBytes(services, { organizationId, ownerId: clearingId, byteCount: row.byteCount });
  expect(await sha256Hex(bytes)).toBe(row.sha256);
  const reading = readAba(new TextDecoder().decode(bytes), 20_000);
  if (!reading.ok) throw new Error(reading.problems[0]?.message);
  return { file: reading.file, bytes };
}

test("held lines are approved and rejected, singly, and the counts follow", async () => {
  const { services, approver, fileId } = await aHalfHeldFile();
  await approve(services, approver, fileId, [3]);
  await decideLines(services, approver, { fileId, choice: { lines: [4] }, decision: "reject", reason: "Unknown" });
  expect((await linesOf(fileId)).map(({ status, decisionReason }) => [status, decisionReason])).toEqual([
    ["authorised", null],
    ["authorised", "Called them"],
    ["rejected", "Unknown"],
  ]);
  const file = await getPaymentFile(services, approver, fileId);
  expect(file).toMatchObject({ heldCount: 0, authorisedCount: 2, authorisedCents: 300_00, rejectedCount: 1 });
});

test("a run is compared with what the one before it was cleared for, not with what it held", async () => {
  const { services, actor, fileId, trusted, added } = await aHalfHeldFile();
  await clearFile(services, actor, { fileId });
  const next = await anUploadedFile(services, actor, [{ ...added.details, amount: 500_00 }]);
  const owner = { organizationId: actor.organizationId, fileId: next.fileId };
  expect((await figuresNow(services, owner)).lastRun).toMatchObject({
    fileId,
    added: { count: 1, shown: [{ payeeId: added.payeeId, cents: 500_00 }] },
    jumped: { count: 0, shown: [] },
    missing: { count: 1, shown: [{ payeeId: trusted.payeeId, cents: 100_00 }] },
  });
});

test("approving for a reason leaves lines that another reason holds too; rejecting takes them all", async () => {
  const { services, actor, approver } = await anOffice();
  const added = await anAddedPayee(services, actor);
  const { fileId } = await anUploadedFile(services, actor, [
    added.details,
    { ...added.details, accountName: "Somebody Else" },
  ]);
  const choice = { rule: "payee_not_trusted" };
  const both = { fileId, choice, reason: "Known to us" };
  const error = await refusal(decideLines(services, approver, { ...both, decision: "approve" }));
  expect(error).toMatchObject({ code: "NOTHING_HELD", status: 409 });
  expect(await decideLines(services, approver, { ...both, decision: "reject" })).toEqual({ lines: [2, 3], left: [] });
});

test("all held lines of one payee are decided at once", async () => {
  const { services, actor, approver } = await anOffice();
  const added = await anAddedPayee(services, actor);
  const lines = [added.details, added.details, details()];
  const { fileId } = await anUploadedFile(services, actor, lines);
  const choice = { payeeId: added.payeeId };
  const decided = await decideLines(services, approver, { fileId, choice, decision: "approve", reason: "Called" });
  expect(decided).toEqual({ lines: [2, 3], left: [] });
});

test("second person: who uploaded the file, or entered what it pays to, approves nothing of it", async () => {
  const { services, actor, approver, fileId, added } = await aHalfHeldFile();
  await requireSecondPerson(actor);
  expect(await refusal(approve(services, actor, fileId, [3]))).toMatchObject({
    code: "SECOND_PERSON_REQUIRED",
    status: 403,
    extra: { lines: [3] },
  });
  const editor = await aColleague(services, actor);
  await editPayee(services, editor, { payeeId: added.payeeId, patch: { accountName: "Kestrel Freight Lines" } });
  expect(await refusal(approve(services, editor, fileId, [3]))).toMatchObject({ code: "SECOND_PERSON_REQUIRED" });
  // Whoever read the file before the change did not know of it; after this refusal they decide knowing it.
  expect(await refusal(approve(services, approver, fileId, [3]))).toMatchObject({ code: "DECIDE_ONE_BY_ONE" });
  expect(await approve(services, approver, fileId, [3])).toEqual({ lines: [3], left: [] });
});

test("nobody approves above the limit of their role", async () => {
  const { services, actor, approver, fileId } = await aHalfHeldFile();
  const limits = { memberLimitCents: 250_00, adminLimitCents: null };
  await peek.insert(paymentFileSettings).values({ organizationId: actor.organizationId, ...limits, updatedAt: 1 });
  expect(await refusal(approve(services, approver, fileId, [3, 4]))).toMatchObject({
    code: "APPROVAL_LIMIT",
    message: "You may approve payments up to $250.00. Line 4 is above it.",
  });
  const admin = await aColleague(services, actor, { role: "admin" });
  expect(await approve(services, admin, fileId, [3, 4])).toEqual({ lines: [3, 4], left: [] });
});

test("approve and reject at once: exactly one decides, and the other is told who", async () => {
  const { services, actor, approver, fileId } = await aHalfHeldFile();
  const answers = await Promise.allSettled([
    approve(services, approver, fileId, [3]),
    decideLines(services, actor, { fileId, choice: { lines: [3] }, decision: "reject", reason: "No" }),
  ]);
  const refused = answers.filter((answer) => answer.status === "rejected");
  expect(refused).toHaveLength(1);
  expect(refused[0]?.reason).toMatchObject({ code: "ALREADY_DECIDED", status: 409 });
  expect(refused[0]?.reason.message).toMatch(/^(Ava|Una) Okafor (approved|rejected) this line on /);
});

test("the cleared file has only the authorised lines, byte for byte, with its totals counted anew", async () => {
  const { services, actor, approver, fileId, bytes } = await aHalfHeldFile();
  await approve(services, approver, fileId, [4]);
  const cleared = await clearFile(services, actor, { fileId });
  expect(cleared).toMatchObject({ lines: 2, totalCents: 400_00 });
  const { file, bytes: out } = await clearedLines(services, actor, cleared.id);
  expect(file.lines.map(({ amount }) => amount)).toEqual([100_00, 300_00]);
  const original = new TextDecoder().decode(bytes).split("\r\n");
  const written = new TextDecoder().decode(out).split("\r\n");
  expect(written.slice(0, 3)).toEqual([original[0], original[1], original[3]]);
  expect(await getPaymentFile(services, actor, fileId)).toMatchObject({
    status: "cleared",
    clearedCount: 2,
    heldCount: 1,
  });
});

test("each cleared line is one authorised payment, recorded by whoever uploaded the file", async () => {
  const { services, actor, approver, fileId, trusted } = await aHalfHeldFile();
  await clearFile(services, approver, { fileId });
  expect(await paymentsOf(actor.organizationId)).toMatchObject([
    { payeeId: trusted.payeeId, amount: 100_00, status: "authorised", recordedById: actor.userId, version: 1 },
  ]);
});

test("a later clearing carries only what no earlier one did, and the earlier one stays", async () => {
  const { services, actor, approver, fileId } = await aHalfHeldFile();
  const first = await clearFile(services, actor, { fileId });
  expect(await refusal(clearFile(services, actor, { fileId }))).toMatchObject({
    code: "NOTHING_TO_CLEAR",
    status: 409,
  });
  await approve(services, approver, fileId, [3]);
  const second = await clearFile(services, actor, { fileId });
  expect((await clearedLines(services, actor, second.id)).file.lines.map(({ amount }) => amount)).toEqual([200_00]);
  expect((await clearedLines(services, actor, first.id)).file.lines.map(({ amount }) => amount)).toEqual([100_00]);
  expect(await paymentsOf(actor.organizationId)).toHaveLength(2);
});

test("a self-balancing file is cleared with a debit for what is left", async () => {
  const { services, actor } = await anOffice();
  const { details: payee } = await aTrustedPayee(services, actor);
  const lines: ALine[] = [
    { ...payee, amount: 100_00 },
    { ...details(), amount: 50_00 },
    { accountName: "HARBOUR JOINERY", bsb: "082001", accountNumber: "987654321", amount: 150_00, code: "13" },
  ];
  const { fileId } = await anUploadedFile(services, actor, lines);
  expect(await getPaymentFile(services, actor, fileId)).toMatchObject({ lineCount: 2, totalCents: 150_00 });
  const { id } = await clearFile(services, actor, { fileId });
  const { file } = await clearedLines(services, actor, id);
  expect(file.totals).toEqual({ net: 0, credit: 100_00, debit: 100_00, count: 2 });
});

test("a payee edited after the check is held again when the file is cleared, and nothing is cleared", async () => {
  const { services, actor, fileId, trusted } = await aHalfHeldFile();
  await editPayee(services, actor, { payeeId: trusted.payeeId, patch: { accountName: "Wattle Creek Holdings" } });
  const error = await refusal(clearFile(services, actor, { fileId }));
  expect(error).toMatchObject({ code: "LINES_HELD_AGAIN", status: 409, extra: { lines: [{ line: 2 }] } });
  expect((await linesOf(fileId))[0]?.status).toBe("held");
  expect(await paymentsOf(actor.organizationId)).toEqual([]);
});

test("a line that a person approved clears for the reasons they saw, and is held for a new one", async () => {
  const { services, actor, approver, fileId, added } = await aHalfHeldFile();
  await approve(services, approver, fileId, [3]);
  await editPayee(services, actor, { payeeId: added.payeeId, patch: { accountName: "Kestrel Freight Australia" } });
  expect(await refusal(clearFile(services, actor, { fileId }))).toMatchObject({
    code: "LINES_HELD_AGAIN",
    extra: { lines: [{ line: 3 }] },
  });
});

test("clear while a payee is edited: the edit wins, and the line is held again", async () => {
  const { services, actor, fileId, trusted } = await aHalfHeldFile();
  const edit = () => editPayee(services, actor, { payeeId: trusted.payeeId, patch: { accountNumber: "55555555" } });
  const during = { ...services, db: interrupted(services.db, edit) };
  expect(await refusal(clearFile(during, actor, { fileId }))).toMatchObject({ code: "LINES_HELD_AGAIN" });
  expect(await paymentsOf(actor.organizationId)).toEqual([]);
});

test("clear while the same payment is recorded by hand: the line is held as its duplicate", async () => {
  const { services, actor } = await anOffice();
  const { details: payee, payeeId } = await aTrustedPayee(services, actor);
  const { fileId } = await anUploadedFile(services, actor, [{ ...payee, amount: 42_00, reference: "X-1" }]);
  const record = () => aPayment(services, actor, payeeId, { amount: 42_00, reference: "x1" });
  const during = { ...services, db: interrupted(services.db, record) };
  expect(await refusal(clearFile(during, actor, { fileId }))).toMatchObject({ code: "LINES_HELD_AGAIN" });
  expect(await paymentsOf(actor.organizationId)).toHaveLength(1);
});

/** A database that answers about the lines first and about the file last, and in between something else happens. */
function answeringLinesFirst(db: TestServices["db"], meanwhile: () => Promise<unknown>): TestServices["db"] {
  let tell = () => {};
  const happened = new Promise<void>((resolve) => {
    tell = resolve;
  });
  let isFirst = true;
  const select = (fields: Parameters<typeof db.select>[0]) => {
    const made = db.select(fields);
    const from = (table: Parameters<typeof made.from>[0]) => {
      const query = made.from(table);
      const execute = query.execute.bind(query);
      if (table === paymentFiles) {
        const soon = new Promise((resolve) => setTimeout(resolve, 200));
        query.execute = () => Promise.race([happened, soon]).then(() => execute());
      }
      if (table === paymentFileLines && isFirst) {
        isFirst = false;
        query.execute = async () => {
          const rows = await execute();
          await meanwhile();
          tell();
          return rows;
        };
      }
      return query;
    };
    return { from };
  };
  return new Proxy(db, { get: (target, name) => (name === "select" ? select : Reflect.get(target, name, target)) });
}

test("clear while the line is rejected: the rejection wins, and nothing is cleared", async () => {
  const { services, actor, approver, fileId } = await aHalfHeldFile();
  const reject = () =>
    decideLines(services, approver, { fileId, choice: { lines: [2] }, decision: "reject", reason: "Not ours" });
  const during = { ...services, db: answeringLinesFirst(services.db, reject) };
  expect(await refusal(clearFile(during, actor, { fileId }))).toMatchObject({ code: "NOTHING_TO_CLEAR" });
  expect((await linesOf(fileId))[0]?.status).toBe("rejected");
  expect(await paymentsOf(actor.organizationId)).toEqual([]);
});

test("clear while somebody else clears: one payment for each line", async () => {
  const { services, actor, fileId } = await aHalfHeldFile();
  const clear = () => clearFile(services, actor, { fileId });
  const during = { ...services, db: answeringLinesFirst(services.db, clear) };
  expect(await refusal(clearFile(during, actor, { fileId }))).toMatchObject({ status: 409 });
  expect(await paymentsOf(actor.organizationId)).toHaveLength(1);
});

test("clear twenty times at once: one clearing, one payment for each line", async () => {
  const { services, actor, fileId } = await aHalfHeldFile();
  const answers = await Promise.allSettled(Array.from({ length: 20 }, () => clearFile(services, actor, { fileId })));
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await paymentsOf(actor.organizationId)).toHaveLength(1);
});

test.each(["before", "after"] as const)("a connection lost %s the commit clears once", async (when) => {
  const { services, actor, fileId } = await aHalfHeldFile();
  await clearFile({ ...services, db: losingConnection(services.db, when) }, actor, { fileId });
  expect(await paymentsOf(actor.organizationId)).toHaveLength(1);
  expect(await peek.select().from(paymentFileClearings).where(eq(paymentFileClearings.fileId, fileId))).toHaveLength(1);
});

test("a cleared file never contains a held or rejected line, whatever was decided", async () => {
  const { services, actor, approver } = await anOffice();
  const known = await Promise.all(Array.from({ length: 3 }, () => aTrustedPayee(services, actor)));
  const decisions = fc.array(fc.constantFrom("trusted", "approve", "reject", "leave"), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(decisions, async (given) => {
      // A line under no payee's name: a line under a verified payee's name is always decided individually.
      const aStranger = () => details({ accountName: "Imaginary Persons Unlimited" });
      const lines = given.map((what, at) => (what === "trusted" ? (known[at % 3]?.details ?? details()) : aStranger()));
      const { fileId } = await anUploadedFile(
        services,
        actor,
        lines.map((line, at) => ({ ...line, amount: 1 + at })),
      );
      const numbers = (what: string) => given.flatMap((each, at) => (each === what ? [at + 2] : []));
      for (const decision of ["approve", "reject"] as const) {
        const choice = { lines: numbers(decision) };
        if (choice.lines.length > 0) await decideLines(services, approver, { fileId, choice, decision, reason: "R" });
      }
      const authorised = (await linesOf(fileId)).filter(({ status }) => status === "authorised");
      if (authorised.length === 0) return;
      const { id } = await clearFile(services, actor, { fileId });
      const { file } = await clearedLines(services, actor, id);
      expect(file.lines.map(({ amount }) => amount)).toEqual(authorised.map(({ amount }) => amount));
      expect(file.lines.every(({ amount }) => ["trusted", "approve"].includes(given[amount - 1] ?? ""))).toBe(true);
    }),
    { numRuns: 15 },
  );
});

test("a table is cleared as a direct entry file of the paying account, which must be given", async () => {
  const { services, actor } = await anOffice();
  const { details: payee } = await aTrustedPayee(services, actor);
  const { accountName, bsb, accountNumber } = payee;
  const csv = `Account name,BSB,Account number,Amount,Reference\n${accountName},${bsb},${accountNumber},"1,250.50",INV-9\n`;
  const { fileId } = await uploadFile(services, actor, { name: "run.csv", bytes: bytesOf(csv) });
  expect(await refusal(clearFile(services, actor, { fileId }))).toMatchObject({ code: "PAYER_REQUIRED", status: 409 });
  const payer = {
    bank: "CBA",
    userName: "HARBOUR",
    userId: "301500",
    bsb: "062001",
    accountNumber: "1234567",
    remitter: "H",
  };
  await peek.insert(paymentFileSettings).values({ organizationId: actor.organizationId, payer, updatedAt: 1 });
  const { id } = await clearFile(services, actor, { fileId });
  const { file } = await clearedLines(services, actor, id);
  expect(file.header).toMatchObject({ bank: "CBA", userId: "301500", date: "201126" });
  expect(file.lines).toMatchObject([{ title: accountName.slice(0, 32), amount: 125_050, reference: "INV-9" }]);
});

test("a file settles when each of its payments has ended", async () => {
  const { services, actor } = await anOffice();
  const { details: payee } = await aTrustedPayee(services, actor);
  const { fileId } = await anUploadedFile(services, actor, [payee]);
  await clearFile(services, actor, { fileId });
  const [payment] = await paymentsOf(actor.organizationId);
  await peek
    .update(paymentRecords)
    .set({ status: "successful" })
    .where(eq(paymentRecords.id, payment?.id ?? ""));
  expect(await getPaymentFile(services, actor, fileId)).toMatchObject({ status: "settled", settledCount: 1 });
});

test("another organisation's file does not exist", async () => {
  const { services, fileId } = await aHalfHeldFile();
  const stranger = await aMember(services);
  expect(await refusal(clearFile(services, stranger, { fileId }))).toMatchObject({ status: 404 });
  expect(await refusal(approve(services, stranger, fileId, [3]))).toMatchObject({ status: 404 });
});

test("a payment made by hand before is no obstacle to another one", async () => {
  const { services, actor } = await anOffice();
  const { details: payee, payeeId } = await aTrustedPayee(services, actor);
  await aPaidPayment(services, actor, payeeId, { amount: 7_00 });
  const { fileId } = await anUploadedFile(services, actor, [{ ...payee, amount: 8_00 }]);
  expect(await clearFile(services, actor, { fileId })).toMatchObject({ lines: 1, totalCents: 8_00 });
});

test("a direct entry file whose header lacks bank and user number is taken in with a warning and not cleared", async () => {
  const { services, actor } = await anOffice();
  const { details: payee } = await aTrustedPayee(services, actor);
  const [header = "", ...rest] = anAbaFile([payee]).split("\r\n");
  const blank = `${header.slice(0, 20)}   ${header.slice(23, 56)}      ${header.slice(62)}`;
  const bytes = bytesOf([blank, ...rest].join("\r\n"));
  const { fileId } = await uploadFile(services, actor, { name: "run.aba", bytes });
  const refused = await refusal(clearFile(services, actor, { fileId }));
  expect(refused).toMatchObject({ code: "PAYER_REQUIRED", status: 409 });
  expect(String((refused as Error).message)).toContain("the bank in columns 21 to 23 and the user number");
  expect((await linesOf(fileId)).map(({ paymentId }) => paymentId)).toEqual([null]);
});
