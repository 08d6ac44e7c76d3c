import { decisionRecords, paymentFileFacts, paymentFileLines, paymentRecords, ruleSets } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { aMember } from "../../../tests/support/factories";
import { anAddedPayee, details, peek } from "../../../tests/support/payees";
import { anUploadedFile } from "../../../tests/support/payment-files";
import { aPayment, aTrustedPayee } from "../../../tests/support/payments";
import { testServices } from "../../../tests/support/services";
import { readFileReplayPage, readPaymentReplayPage, replayFile, replayPayment } from "./replay.server";

async function aHeldPayment() {
  const services = testServices();
  const actor = await aMember(services);
  const { payeeId } = await anAddedPayee(services, actor);
  const { id } = await aPayment(services, actor, payeeId);
  return { services, actor, payeeId, id };
}

test("the decision of a payment comes out the same, whatever has become of the payee since", async () => {
  const { services, actor, payeeId, id } = await aHeldPayment();
  await editPayee(services, actor, { payeeId, patch: { accountNumber: "87654321" } });
  services.clock.advance(400 * 86_400_000);
  expect(await replayPayment(services, actor, id)).toEqual({
    isKept: true,
    different: [],
    changedRules: [],
    unreadableCount: 0,
  });
});

test("reasons that were altered afterwards are found", async () => {
  const { services, actor, id } = await aHeldPayment();
  await peek.update(paymentRecords).set({ reasons: [] }).where(eq(paymentRecords.id, id));
  expect(await replayPayment(services, actor, id)).toMatchObject({ isKept: true, different: ["payee_not_trusted"] });
});

test("a payment whose facts were not kept says so", async () => {
  const { services, actor, id } = await aHeldPayment();
  await peek.delete(decisionRecords).where(eq(decisionRecords.paymentId, id));
  expect(await replayPayment(services, actor, id)).toEqual({
    isKept: false,
    different: [],
    changedRules: [],
    unreadableCount: 0,
  });
});

async function aJudgedFile() {
  const services = testServices();
  const actor = await aMember(services);
  const trusted = await aTrustedPayee(services, actor);
  const added = await anAddedPayee(services, actor);
  const { fileId } = await anUploadedFile(services, actor, [
    trusted.details,
    added.details,
    details({ accountName: "Imaginary Persons Unlimited" }),
  ]);
  const owner = { organizationId: actor.organizationId, fileId };
  return { services, actor, trusted, owner };
}

test("a stored decision gives the same answer, whatever has become of the payee since", async () => {
  const { services, actor, trusted, owner } = await aJudgedFile();
  await editPayee(services, actor, { payeeId: trusted.payeeId, patch: { accountNumber: "87654321" } });
  services.clock.advance(400 * 86_400_000);
  const same = { lines: 3, different: [], differentCount: 0, changedRules: [], unreadableCount: 0 };
  expect(await replayFile(services, owner)).toEqual(same);
});

test("a record that somebody altered is found", async () => {
  const { services, owner } = await aJudgedFile();
  await peek
    .update(paymentFileLines)
    .set({ reasons: [] })
    .where(and(eq(paymentFileLines.fileId, owner.fileId), eq(paymentFileLines.line, 4)));
  const { different, differentCount } = await replayFile(services, owner);
  expect([different, differentCount]).toEqual([[{ line: 4, rules: ["payee_not_trusted"] }], 1]);
});

test("a rule of another version is named, and its former answer stands", async () => {
  const { services, owner } = await aJudgedFile();
  const [set] = await peek.select().from(ruleSets).where(eq(ruleSets.organizationId, owner.organizationId));
  const versions = { ...set?.versions, payee_not_trusted: 0 };
  await peek.update(ruleSets).set({ versions }).where(eq(ruleSets.organizationId, owner.organizationId));
  expect(await replayFile(services, owner)).toMatchObject({ differentCount: 0, changedRules: ["payee_not_trusted"] });
});

/**
 * Facts in the layout before formats were numbered, in an unknown format, with a fact of the wrong type, and cut off.
 */
const UNREADABLE: readonly [string, (facts: string) => string][] = [
  ["of an older format", () => JSON.stringify([3, "texts by offset", [0, 12]])],
  ["of a newer format", (facts) => facts.replace('"v":1', '"v":2')],
  ["with amounts that are no numbers", (facts) => facts.replaceAll(/"amount":(\d+)/g, '"amount":"$1"')],
  ["cut off in the middle", (facts) => facts.slice(0, facts.length / 2)],
];

test.each(UNREADABLE)(
  "a payment with facts %s is said to be beyond working out again, never the same",
  async (_, damage) => {
    const { services, actor, id } = await aHeldPayment();
    const isOfPayment = eq(decisionRecords.paymentId, id);
    const [record] = await peek.select().from(decisionRecords).where(isOfPayment);
    const facts = damage(record?.facts ?? "");
    await peek.update(decisionRecords).set({ facts }).where(isOfPayment);
    const page = await readPaymentReplayPage(services, actor, id);
    expect(page).toMatchObject({ isKept: true, unreadableCount: 1, different: [], changedRules: [] });
  },
);

test.each(UNREADABLE)("lines with facts %s are counted, and are not called the same", async (_, damage) => {
  const { services, actor, owner } = await aJudgedFile();
  const isOfFile = eq(paymentFileFacts.fileId, owner.fileId);
  const [part] = await peek.select().from(paymentFileFacts).where(isOfFile);
  const facts = damage(part?.facts ?? "");
  await peek.update(paymentFileFacts).set({ facts }).where(isOfFile);
  const page = await readFileReplayPage(services, actor, owner.fileId);
  expect(page).toMatchObject({ lines: 3, differentCount: 0, unreadableCount: 3, different: [] });
});

test("one damaged line leaves the others to be worked out again", async () => {
  const { services, owner } = await aJudgedFile();
  const isOfFile = eq(paymentFileFacts.fileId, owner.fileId);
  const [part] = await peek.select().from(paymentFileFacts).where(isOfFile);
  const facts = (part?.facts ?? "").replace(/"amount":\d+/, '"amount":null');
  await peek.update(paymentFileFacts).set({ facts }).where(isOfFile);
  expect(await replayFile(services, owner)).toMatchObject({ lines: 3, differentCount: 0, unreadableCount: 1 });
});
