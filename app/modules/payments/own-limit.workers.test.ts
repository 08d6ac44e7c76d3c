import { organizationPolicies, organizationUsers, payees, paymentFileSettings } from "@db/database";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { promoteEarnedPayees } from "~/modules/payees/whitelist/promotion.server";
import type { Actor } from "~/services-and-actor";
import { aMember } from "../../../tests/support/factories";
import { change } from "../../../tests/support/organizations";
import { aColleague, anAddedPayee, peek, readPayee, refusal } from "../../../tests/support/payees";
import { anUploadedFile, linesOf } from "../../../tests/support/payment-files";
import { aNewPayment, aPayment, aTrustedPayee, readPayment } from "../../../tests/support/payments";
import { testServices } from "../../../tests/support/services";
import { decidePayment } from "./decide-payment.server";
import { clearFile } from "./payment-files/clear-file.server";
import { decideLines } from "./payment-files/decide-lines.server";
import { recordOutcome } from "./record-outcome.server";
import { recordPayment } from "./record-payment.server";

/**
 * Nobody can get a payment above their own limit through by approving its payee or by splitting it. The other rules
 * that would hold these payments are off, as if large first payments were normal for this organisation.
 */

const LIMIT = 1_000_000;
const PART = 990_000;
const LARGE = 5_000_000;

const OFF = { first_payment_limit: "off", just_under_limit: "off", round_first_amount: "off" } as const;

async function anOffice({ adminLimitCents = null as number | null } = {}) {
  const services = testServices();
  const member = await aMember(services);
  const { organizationId } = member;
  const [colleague, boss] = [await aColleague(services, member), await aColleague(services, member, { role: "admin" })];
  const limits = { memberLimitCents: LIMIT, adminLimitCents };
  await peek.insert(paymentFileSettings).values({ organizationId, ...limits, updatedAt: 1 });
  await peek.insert(organizationPolicies).values({ organizationId, ruleLevels: OFF, updatedAt: 1 });
  return { services, member, colleague, boss };
}

type Office = Awaited<ReturnType<typeof anOffice>>;

async function pay({ services }: Office, by: Actor, payeeId: string, amount: number) {
  const { id, status, reasons } = await aPayment(services, by, payeeId, { amount });
  return { id, status, rules: reasons.map(({ rule }) => rule), said: reasons[0]?.message };
}

const approval = (paymentId: string) =>
  ({ paymentId, decision: "approve", reason: "Called the supplier on a known number" }) as const;

test("a member who approves a payee does not pay it above their own limit, alone or with a colleague under the same limit", async () => {
  const office = await anOffice();
  const { services, member, colleague, boss } = office;
  const { payeeId } = await aTrustedPayee(services, member);
  const held = await pay(office, member, payeeId, LARGE);
  expect(held).toMatchObject({ status: "held", rules: ["above_own_limit"] });
  expect(held.said).toContain("may approve up to $10,000.00 to one payee in a day, and this is $50,000.00.");
  expect(await pay(office, colleague, payeeId, LARGE)).toMatchObject({ status: "held", rules: ["above_own_limit"] });
  expect(await refusal(decidePayment(services, member, approval(held.id)))).toMatchObject({ code: "APPROVAL_LIMIT" });
  expect(await decidePayment(services, boss, approval(held.id))).toMatchObject({ status: "authorised" });
});

test("one person with a higher limit behind the payment is enough: who approved the payee, or who records it", async () => {
  const office = await anOffice();
  const { services, member, boss } = office;
  const ofBoss = await aTrustedPayee(services, boss);
  expect(await pay(office, member, ofBoss.payeeId, LARGE)).toMatchObject({ status: "authorised" });
  const ofMember = await aTrustedPayee(services, member);
  expect(await pay(office, boss, ofMember.payeeId, LARGE)).toMatchObject({ status: "authorised" });
  expect(await pay(office, member, ofMember.payeeId, 1)).toMatchObject({ status: "held" });
});

test("attack: the member who approved a payee leaves, and a colleague with the same limit does not pay it above the limit", async () => {
  const office = await anOffice();
  const { services, member, colleague, boss } = office;
  const { payeeId } = await aTrustedPayee(services, member);
  await change(services, boss, member, { act: "deactivate" });
  expect(await pay(office, colleague, payeeId, LARGE)).toMatchObject({ status: "held", rules: ["above_own_limit"] });
  await peek.delete(organizationUsers).where(eq(organizationUsers.userId, member.userId));
  expect(await pay(office, colleague, payeeId, LARGE)).toMatchObject({
    status: "held",
    rules: expect.arrayContaining(["above_own_limit"]),
  });
});

test("attack: an administrator trusts an account and leaves: a member does not pay it any amount from then on, as after a demotion", async () => {
  for (const act of [{ act: "deactivate" }, { act: "change_role", role: "member" }] as const) {
    const office = await anOffice();
    const { services, member, boss } = office;
    const second = await aColleague(services, boss, { role: "admin" });
    const { payeeId } = await aTrustedPayee(services, second);
    expect(await pay(office, member, payeeId, LARGE)).toMatchObject({ status: "authorised" });
    await change(services, boss, second, act);
    expect(await pay(office, member, payeeId, LARGE)).toMatchObject({
      status: "held",
      rules: expect.arrayContaining(["above_own_limit"]),
    });
  }
});

test("parts under the limit are one sum in a day, also when they are recorded at once, and none of the next day's", async () => {
  const office = await anOffice();
  const { services, member } = office;
  const { payeeId } = await aTrustedPayee(services, member);
  const parts = await Promise.all([pay(office, member, payeeId, PART), pay(office, member, payeeId, PART)]);
  expect(parts.map(({ status }) => status).sort()).toEqual(["authorised", "held"]);
  const held = parts.find(({ status }) => status === "held");
  expect(held?.said).toContain("$9,900.00, with $9,900.00 that was authorised today");
  services.clock.advance(DAY_MS);
  expect(await pay(office, member, payeeId, PART)).toMatchObject({ status: "authorised" });
});

test("a part that is reported as failed, or held again, was let out all the same", async () => {
  const office = await anOffice();
  const { services, member } = office;
  const failing = await aTrustedPayee(services, member);
  const first = await pay(office, member, failing.payeeId, PART);
  await recordOutcome(services, member, {
    ...{ paymentId: first.id, status: "failed", reason: "Returned", processedAt: null },
  });
  const again = await pay(office, member, failing.payeeId, PART);
  expect([again.status, again.rules]).toEqual(["held", expect.arrayContaining(["above_own_limit"])]);

  const renamed = await aTrustedPayee(services, member);
  const part = await pay(office, member, renamed.payeeId, PART);
  await editPayee(services, member, { payeeId: renamed.payeeId, patch: { name: "Borealis Mining" } });
  expect(await readPayment(part.id)).toMatchObject({ status: "held" });
  const other = await pay(office, member, renamed.payeeId, PART);
  expect(await refusal(decidePayment(services, member, approval(other.id)))).toMatchObject({ code: "APPROVAL_LIMIT" });
});

test("parts to an account that is no payee are one sum, in whatever spelling, and still are when it has become one", async () => {
  const office = await anOffice();
  const { services, member } = office;
  const account = { accountName: "Quill Hire", bsb: "062000", accountNumber: "12345678" };
  const record = async (accountNumber: string) =>
    (await recordPayment(services, member, { payment: aNewPayment({ ...account, accountNumber }, { amount: PART }) }))
      .payment;
  const [first, second, third] = [await record("12345678"), await record("012345678"), await record("12345678")];
  expect(await decidePayment(services, member, approval(first.id))).toMatchObject({ status: "authorised" });
  expect(await refusal(decidePayment(services, member, approval(second.id)))).toMatchObject({ code: "APPROVAL_LIMIT" });
  const { payeeId } = await aTrustedPayee(services, member, account);
  const toPayee = await pay(office, member, payeeId, PART);
  expect([toPayee.status, toPayee.rules]).toEqual(["held", ["above_own_limit"]]);
  services.clock.advance(DAY_MS);
  expect(await pay(office, member, payeeId, PART)).toMatchObject({ status: "authorised" });
  expect(await refusal(decidePayment(services, member, approval(third.id)))).toMatchObject({ code: "APPROVAL_LIMIT" });
});

test("attack: three payments of one cent, approved and reported by a member, make no payee that the member pays any amount", async () => {
  const office = await anOffice();
  const { services, member, boss } = office;
  const earn = async (by: Actor) => {
    const { payeeId } = await anAddedPayee(services, member);
    for (const reference of ["A", "B", "C"]) {
      const { id } = await aPayment(services, member, payeeId, { amount: 1, reference });
      await decidePayment(services, by, approval(id));
      await recordOutcome(services, member, { paymentId: id, status: "successful", reason: null, processedAt: null });
    }
    services.clock.advance(1_000);
    await promoteEarnedPayees(services);
    expect(await readPayee(payeeId)).toMatchObject({ whitelisted: true, whitelistedById: null });
    return payeeId;
  };
  const payeeId = await earn(member);
  const held = await pay(office, member, payeeId, LARGE);
  expect(held).toMatchObject({ status: "held", rules: expect.arrayContaining(["above_own_limit"]) });
  expect(held.said).toContain(
    "is on the whitelist for its payments. The people who approved those and recorded this one",
  );
  expect(await pay(office, member, payeeId, PART)).toMatchObject({ status: "authorised" });
  expect(await pay(office, boss, payeeId, LARGE)).toMatchObject({ status: "authorised" });
  expect(await pay(office, member, await earn(boss), LARGE)).toMatchObject({ status: "authorised" });
});

test("attack: a member's own account, which the bank confirms and a rule whitelists, is not paid above the member's limit by the member alone", async () => {
  const office = await anOffice();
  const { services, member, boss } = office;
  const { payeeId } = await anAddedPayee(services, member);
  await peek.update(payees).set({ whitelisted: true, whitelistedAt: 1 }).where(eq(payees.id, payeeId));
  const held = await pay(office, member, payeeId, LARGE);
  expect(held).toMatchObject({ status: "held", rules: expect.arrayContaining(["above_own_limit"]) });
  expect(held.said).toContain("The person who recorded this payment may approve up to $10,000.00");
  expect(await pay(office, member, payeeId, PART)).toMatchObject({ status: "authorised" });
  expect(await pay(office, boss, payeeId, LARGE)).toMatchObject({ status: "authorised" });
});

test("a file that the approver of its payees uploads is held above their limit, line by line and as a sum", async () => {
  const office = await anOffice();
  const { services, member, boss } = office;
  const [one, two] = [await aTrustedPayee(services, member), await aTrustedPayee(services, member)];
  const { fileId } = await anUploadedFile(services, member, [
    { ...one.details, amount: LARGE },
    { ...two.details, amount: PART },
    { ...two.details, amount: PART },
  ]);
  const lines = await linesOf(fileId);
  expect(lines.map(({ status }) => status)).toEqual(["held", "held", "held"]);
  expect(lines[1]?.reasons[0]?.message).toContain("with $9,900.00 on other lines of this file");
  const asked = { fileId, decision: "approve", reason: "On the contract" } as const;
  await decideLines(services, member, { ...asked, choice: { lines: [3] } });
  const above = await refusal(decideLines(services, member, { ...asked, choice: { lines: [4] } }));
  expect(above).toMatchObject({ code: "APPROVAL_LIMIT", extra: { lines: [4] } });
  await decideLines(services, boss, { ...asked, choice: { lines: [2, 4] } });
  expect(await clearFile(services, member, { fileId })).toMatchObject({ lines: 3 });
});

test("what was authorised earlier in the day counts with the lines of a file", async () => {
  const office = await anOffice();
  const { services, member, boss } = office;
  const payee = await aTrustedPayee(services, boss);
  const other = { ...payee.details, accountName: "Quill Hire" };
  await pay(office, boss, payee.payeeId, PART);
  const { fileId } = await anUploadedFile(services, boss, [{ ...other, amount: PART }]);
  const asked = { fileId, decision: "approve", reason: "Same supplier", choice: { lines: [2] } } as const;
  const refused = await refusal(decideLines(services, member, asked));
  expect(refused).toMatchObject({ code: "APPROVAL_LIMIT", extra: { lines: [2] } });
  expect(refused.message).toContain("payments to one payee in a day count together");
  expect(await decideLines(services, boss, asked)).toMatchObject({ lines: [2] });
});

test("a sum split over two files is held again when the second is cleared", async () => {
  const office = await anOffice();
  const { services, member, boss } = office;
  const payee = await aTrustedPayee(services, boss);
  const other = { ...payee.details, accountName: "Quill Hire" };
  const files = [
    await anUploadedFile(services, boss, [{ ...other, amount: PART }]),
    await anUploadedFile(services, boss, [{ ...other, accountNumber: `0${other.accountNumber}`, amount: PART }]),
  ].map(({ fileId }) => fileId);
  for (const fileId of files) {
    await decideLines(services, member, {
      fileId,
      decision: "approve",
      reason: "Same supplier",
      choice: { lines: [2] },
    });
  }
  const [first = "", second = ""] = files;
  await clearFile(services, boss, { fileId: first });
  const refused = await refusal(clearFile(services, boss, { fileId: second }));
  expect(refused).toMatchObject({ code: "LINES_HELD_AGAIN" });
  expect(refused.message).toContain("The person who approved this payment may approve up to $10,000.00");
  expect((await linesOf(second))[0]).toMatchObject({ status: "held" });
  await decideLines(services, boss, { fileId: second, decision: "approve", reason: "Seen", choice: { lines: [2] } });
  expect(await clearFile(services, boss, { fileId: second })).toMatchObject({ lines: 1 });
});

test("where nobody's approvals are limited nothing of this is asked", async () => {
  const services = testServices();
  const member = await aMember(services);
  const { payeeId } = await aTrustedPayee(services, member);
  const payment = await aPayment(services, member, payeeId, { amount: 900_000 });
  expect(payment.status).toBe("authorised");
});
