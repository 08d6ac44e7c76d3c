import { expect, test } from "vitest";
import { recordOutcome } from "~/modules/payments/record-outcome.server";
import type { Actor } from "~/services-and-actor";
import { aMember } from "../../../../tests/support/factories";
import { losingConnection } from "../../../../tests/support/lost-connections";
import { readPayee, refusal } from "../../../../tests/support/payees";
import { anUploadedFile, bytesOf } from "../../../../tests/support/payment-files";
import { aTrustedPayee, paymentsOf, stepsOf } from "../../../../tests/support/payments";
import { type TestServices, testServices } from "../../../../tests/support/services";
import { clearFile } from "./clear-file.server";
import { downloadCleared } from "./clearings.server";
import { getPaymentFile } from "./payment-file.server";
import { proveFile, proveHash } from "./prove-file.server";
import { parseReturns, recordFileOutcomes } from "./record-outcomes.server";

/** A cleared file of three payments in lines 2 to 4, two of them to the same payee. */
async function aClearedFile() {
  const services = testServices();
  const actor = await aMember(services);
  const one = await aTrustedPayee(services, actor);
  const two = await aTrustedPayee(services, actor, { accountName: "Kestrel Freight" });
  const { fileId } = await anUploadedFile(services, actor, [
    { ...one.details, amount: 100_00, reference: "A-1" },
    { ...one.details, amount: 200_00, reference: "A-2" },
    { ...two.details, amount: 300_00, reference: "B-1" },
  ]);
  await clearFile(services, actor, { fileId });
  return { services, actor, fileId, one, two };
}

const all = (services: TestServices, actor: Actor, fileId: string, except: number[] = []) =>
  recordFileOutcomes(services, actor, {
    fileId,
    outcome: { status: "successful", except, reason: except.length > 0 ? "Account closed" : null },
    processedAt: null,
  });

test("all successful but these: the payees' counts, the steps and the file follow", async () => {
  const { services, actor, fileId, one, two } = await aClearedFile();
  expect(await all(services, actor, fileId, [4])).toEqual({ settled: 2, failed: 1, left: [], unmatched: [] });
  expect(await readPayee(one.payeeId)).toMatchObject({ paymentCount: 2, lastPaymentDate: services.clock.now() });
  expect((await readPayee(two.payeeId)).paymentCount).toBe(0);
  const payments = (await paymentsOf(actor.organizationId)).sort((a, b) => a.amount - b.amount);
  expect(payments.map(({ status, failureReason }) => [status, failureReason])).toEqual([
    ["successful", null],
    ["successful", null],
    ["failed", "Account closed"],
  ]);
  expect(await stepsOf(payments[0]?.id ?? "")).toMatchObject([{ fromStatus: "authorised", toStatus: "successful" }]);
  expect(await getPaymentFile(services, actor, fileId)).toMatchObject({ status: "settled", settledCount: 3 });
});

test("a failure needs a reason", async () => {
  const { services, actor, fileId } = await aClearedFile();
  const outcome = { status: "successful" as const, except: [2], reason: null };
  const error = await refusal(recordFileOutcomes(services, actor, { fileId, outcome, processedAt: null }));
  expect(error).toMatchObject({ status: 400, fieldErrors: { reason: ["Say why they failed"] } });
});

test("an exception that is no cleared payment, or was paid already, refuses the outcomes", async () => {
  const { services, actor, fileId } = await aClearedFile();
  const absent = await refusal(all(services, actor, fileId, [4, 5]));
  expect(absent).toMatchObject({
    status: 400,
    fieldErrors: { except: [expect.stringMatching(/^Line 5 is not among/)] },
  });
  await all(services, actor, fileId, [4]);
  const ended = await refusal(all(services, actor, fileId, [2, 4]));
  expect(ended).toMatchObject({
    status: 400,
    fieldErrors: { except: ["Line 2 already has the outcome “successful”."] },
  });
});

test("twenty outcomes of one file at once count each payment once", async () => {
  const { services, actor, fileId, one } = await aClearedFile();
  const answers = await Promise.allSettled(Array.from({ length: 20 }, () => all(services, actor, fileId)));
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect((await readPayee(one.payeeId)).paymentCount).toBe(2);
});

test("an outcome by hand and one of the whole file at once count each payment once", async () => {
  const { services, actor, fileId, one } = await aClearedFile();
  const [first] = await paymentsOf(actor.organizationId);
  const byHand = { paymentId: first?.id ?? "", status: "successful", reason: null, processedAt: null } as const;
  await Promise.allSettled([recordOutcome(services, actor, byHand), all(services, actor, fileId)]);
  await all(services, actor, fileId).catch(() => undefined);
  expect((await readPayee(one.payeeId)).paymentCount).toBe(2);
  expect((await getPaymentFile(services, actor, fileId)).status).toBe("settled");
});

test.each(["before", "after"] as const)("a connection lost %s the commit counts once", async (when) => {
  const { services, actor, fileId, one } = await aClearedFile();
  await all({ ...services, db: losingConnection(services.db, when) }, actor, fileId);
  expect((await readPayee(one.payeeId)).paymentCount).toBe(2);
});

test("a bank's return file marks what came back, and leaves the rest waiting", async () => {
  const { services, actor, fileId, two } = await aClearedFile();
  const { bytes } = await downloadCleared(services, actor, { fileId });
  const record = new TextDecoder().decode(bytes).split("\r\n")[3] ?? "";
  const returned = `2${record.slice(1, 17)}3${record.slice(18)}`;
  const strange = returned.replace("0000030000", "0000039999");
  const text = `0 header\r\n${returned}\r\n${strange}\r\n`;
  const parsed = parseReturns(bytesOf(text));
  const answer = await recordFileOutcomes(services, actor, { fileId, ...parsed });
  expect(answer).toEqual({ settled: 0, failed: 1, left: [], unmatched: [3] });
  const payments = await paymentsOf(actor.organizationId);
  expect(payments.map(({ status }) => status)).toEqual(["authorised", "authorised", "failed"]);
  expect(payments[2]?.failureReason).toBe("The account is closed");
  expect((await readPayee(two.payeeId)).paymentCount).toBe(0);
});

test("only the cleared bytes are proved; a changed account is named with its line", async () => {
  const { services, actor, fileId } = await aClearedFile();
  const { bytes } = await downloadCleared(services, actor, { fileId });
  const proof = await proveFile(services, actor, bytes);
  expect(proof).toMatchObject({ cleared: true, clearing: { fileId, lineCount: 3 } });
  const sha256 = proof.cleared ? proof.clearing.sha256 : "";
  expect(await proveHash(services, actor, sha256)).toMatchObject({ cleared: true });
  const text = new TextDecoder().decode(bytes);
  const account = text.split("\r\n")[2]?.slice(8, 17) ?? "";
  const at = text.lastIndexOf(account);
  const changed = bytesOf(`${text.slice(0, at)} 99999999${text.slice(at + 9)}`);
  const refused = await proveFile(services, actor, changed);
  expect(refused).toMatchObject({ cleared: false, nearest: { fileId }, differences: [{ kind: "account" }] });
  expect(refused.cleared ? "" : refused.differences[0]?.message).toMatch(/^Line 3 pays .*•••••999\. .* was cleared\.$/);
  const digit = account.search(/\d/);
  const other = account[digit] === "1" ? "2" : "1";
  const hidden = bytesOf(`${text.slice(0, at + digit)}${other}${text.slice(at + digit + 1)}`);
  const alike = await proveFile(services, actor, hidden);
  expect(alike.cleared ? "" : alike.differences[0]?.message).toMatch(
    /a different account from the cleared one: .* hidden digits/,
  );
  const stranger = await aMember(services);
  expect(await proveFile(services, stranger, bytes)).toMatchObject({ cleared: false, nearest: null });
});
