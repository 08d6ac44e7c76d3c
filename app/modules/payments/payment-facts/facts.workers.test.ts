import { staffAccounts } from "@db/database";
import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { fingerprintPayee } from "~/modules/core/payee-keys";
import { archivePayee } from "~/modules/payees/archive-payee.server";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { startVerification } from "~/modules/payees/open-verification.server";
import { findPendingVerification } from "~/modules/payees/payee.server";
import { unwhitelistByHand, whitelistByHand } from "~/modules/payees/whitelist-by-hand.server";
import { findReturnToShow } from "~/modules/payments/payee-chart.server";
import { changeLimits } from "~/modules/payments/payment-files/settings.server";
import { recordOutcome } from "~/modules/payments/record-outcome.server";
import { recordPayment } from "~/modules/payments/record-payment.server";
import { impactsOf } from "~/modules/rules/rule-impact";
import { reviewVerification } from "~/modules/verifying/review/review.server";
import { aMember, anOrganization } from "../../../../tests/support/factories";
import { anAddedPayee, details, peek, readPayee, refusal } from "../../../../tests/support/payees";
import { anUploadedFile } from "../../../../tests/support/payment-files";
import { aNewPayment, aPaidPayment, aPayment, aTrustedPayee } from "../../../../tests/support/payments";
import { testServices } from "../../../../tests/support/services";
import { listDecidedFacts } from "./decided-facts.server";

/** Runs the rules on facts read from the database. */

const LIMIT = 1_000_000;

async function anOrganizationAtWork() {
  const services = testServices();
  const organization = await anOrganization(services, { trialEndsAt: services.clock.now() + 500 * DAY_MS });
  const actor = await aMember(services, { organization });
  const { payeeId } = await aTrustedPayee(services, actor);
  const pay = async (amount: number) => {
    const { decision, reasons } = await recordPayment(services, actor, {
      payment: aNewPayment({ payeeId }, { amount }),
    });
    return { decision, rules: reasons.map(({ rule }) => rule) };
  };
  return { services, actor, payeeId, pay };
}

test("a first payment above the limit is held until one has been successful", async () => {
  const { services, actor, payeeId, pay } = await anOrganizationAtWork();
  expect(await pay(LIMIT + 1)).toEqual({ decision: "held", rules: ["first_payment_limit"] });
  await aPaidPayment(services, actor, payeeId, { amount: LIMIT });
  expect(await pay(LIMIT + 1)).toEqual({ decision: "authorised", rules: [] });
});

test("an amount is compared with the largest of the last ten successful payments, and no older one", async () => {
  const { services, actor, payeeId, pay } = await anOrganizationAtWork();
  await aPaidPayment(services, actor, payeeId, { amount: 100_000 });
  for (let i = 0; i < 9; i++) await aPaidPayment(services, actor, payeeId, { amount: 20_000 });
  expect(await pay(300_000)).toEqual({ decision: "authorised", rules: [] });
  await aPaidPayment(services, actor, payeeId, { amount: 20_000 });
  expect(await pay(60_000)).toEqual({ decision: "authorised", rules: [] });
  expect(await pay(60_001)).toEqual({ decision: "authorised", rules: ["unusual_amount"] });
});

test("a verification of more than a year ago is said until a payment goes through", async () => {
  const { services, actor, payeeId, pay } = await anOrganizationAtWork();
  services.clock.advance(367 * DAY_MS);
  expect(await pay(50_000)).toEqual({ decision: "authorised", rules: ["verification_stale"] });
  await aPaidPayment(services, actor, payeeId);
  expect(await pay(50_001)).toEqual({ decision: "authorised", rules: [] });
});

test("contact and bank details changed together hold a payment even after they were verified", async () => {
  const { services, actor, payeeId, pay } = await anOrganizationAtWork();
  await editPayee(services, actor, { payeeId, patch: { email: "new@harbour.example" } });
  services.clock.advance(DAY_MS);
  await editPayee(services, actor, { payeeId, patch: { accountNumber: details().accountNumber } });
  const verificationId = (await findPendingVerification(services, actor, payeeId)) ?? "";
  await reviewVerification(services, actor, {
    verificationId,
    review: { approved: true, addToGlobalWhitelist: false, reason: "Called the number in the contract" },
  });
  expect(await pay(50_000)).toEqual({ decision: "held", rules: ["account_changed", "contact_and_bank_changed"] });
});

test("an account whose BSB nobody has is held for that too", async () => {
  const services = testServices();
  const actor = await aMember(services);
  const to = { bsb: "999999", accountNumber: "12345678", accountName: "Acme" };
  const { reasons } = await recordPayment(services, actor, { payment: aNewPayment(to) });
  expect(reasons.map(({ rule }) => rule)).toEqual(["payee_not_trusted", "bsb_unusable"]);
  expect(reasons[1]?.message).toBe(
    "The payment cannot reach an account with the BSB 999-999. No institution has this BSB.",
  );
});

test("taken off the whitelist by hand, then paid on the old approval: held", async () => {
  const { services, actor, payeeId, pay } = await anOrganizationAtWork();
  expect((await pay(100)).decision).toBe("authorised");
  await unwhitelistByHand(services, actor, { payeeId, reason: "Their invoices look odd" });
  expect(await pay(200)).toEqual({ decision: "held", rules: ["payee_not_trusted"] });
  await whitelistByHand(services, actor, { payeeId, reason: "Called them" });
  expect((await pay(300)).decision).toBe("authorised");
});

test.each(["inv 00777", "INV/777", "Inv-0777."])(
  "the invoice INV-777 entered again as %s is held",
  async (reference) => {
    const { services, actor, payeeId } = await anOrganizationAtWork();
    await aPayment(services, actor, payeeId, { reference: "INV-777" });
    const again = await recordPayment(services, actor, { payment: aNewPayment({ payeeId }, { reference }) });
    expect(again.reasons.map(({ rule }) => rule)).toEqual(["duplicate_payment"]);
    expect(again.reasons[0]?.message).toContain("with the reference INV-777 was recorded");
  },
);

test("a payee whose email moved to a domain like its former one is not paid until it is verified again", async () => {
  const { services, actor, payeeId, pay } = await anOrganizationAtWork();
  services.clock.advance(DAY_MS);
  await editPayee(services, actor, { payeeId, patch: { email: "ap@jarrahlandscapes.example" } });
  expect((await pay(50_000)).rules).not.toContain("lookalike_domain");
  await editPayee(services, actor, { payeeId, patch: { email: "ap@jarrah1andscapes.example" } });
  expect(await pay(50_001)).toMatchObject({ decision: "held", rules: expect.arrayContaining(["lookalike_domain"]) });
  services.clock.advance(DAY_MS);
  const { verificationId } = await startVerification(services, actor, payeeId);
  await reviewVerification(services, actor, {
    verificationId,
    review: { approved: true, addToGlobalWhitelist: false, reason: "Called the number we had" },
  });
  expect((await pay(50_002)).rules).not.toContain("lookalike_domain");
});

test("several edits within a day hold a payment, and a day later no more", async () => {
  const { services, actor, payeeId, pay } = await anOrganizationAtWork();
  for (const address of ["1 First Street", "2 Second Street", "3 Third Street"]) {
    await editPayee(services, actor, { payeeId, patch: { address } });
    services.clock.advance(1_000);
  }
  expect(await pay(50_000)).toEqual({ decision: "held", rules: ["many_changes"] });
  services.clock.advance(DAY_MS);
  expect(await pay(50_001)).toEqual({ decision: "authorised", rules: [] });
});

test("the organisation's limits and hours count for a single payment too", async () => {
  const { services, actor, pay } = await anOrganizationAtWork();
  const workingHours = { opensAtMinute: 8 * 60, closesAtMinute: 12 * 60, worksWeekends: false };
  await changeLimits(services, actor, { memberLimitCents: 100_000, adminLimitCents: null, workingHours }, {});
  // The test clock stands at 2 pm in Sydney, which is UTC + 11.
  expect(await pay(99_000)).toEqual({ decision: "authorised", rules: ["just_under_limit", "outside_hours"] });
});

test("a payee's name with an account of the staff is said", async () => {
  const { services, actor, payeeId } = await anOrganizationAtWork();
  const { accountName } = await readPayee(payeeId);
  const { bsb, accountNumber } = details();
  const to = { accountName, bsb, accountNumber };
  const { accountFingerprint } = await fingerprintPayee(services, { ...details(), ...to });
  await peek
    .insert(staffAccounts)
    .values({ organizationId: actor.organizationId, accountFingerprint, createdAt: services.clock.now() });
  const { reasons } = await recordPayment(services, actor, { payment: aNewPayment(to) });
  expect(reasons.map(({ rule }) => rule)).toEqual(["payee_not_trusted", "known_name_new_account", "staff_account"]);
});

test("an account that a payee had before names the payee and when it changed, whichever part of it changed", async () => {
  const { services, actor, payeeId } = await anOrganizationAtWork();
  const first = await readPayee(payeeId);
  await editPayee(services, actor, { payeeId, patch: { bsb: "033001" } });
  services.clock.advance(DAY_MS);
  await editPayee(services, actor, { payeeId, patch: { accountNumber: details().accountNumber } });
  const pay = async (bsb: string) => {
    const to = { accountName: "Another Name Entirely", bsb, accountNumber: `0${first.accountNumber}` };
    const { reasons } = await recordPayment(services, actor, { payment: aNewPayment(to) });
    return reasons;
  };
  for (const [bsb, day] of [
    [first.bsb, "20 Nov 2026"],
    ["033001", "21 Nov 2026"],
  ] as const) {
    const [former, unknown] = await pay(bsb);
    expect(former).toMatchObject({
      rule: "former_account",
      level: "hold",
      message: `This account was ${first.name}'s until ${day}. This payment pays it under a different name, “Another Name Entirely”. Ask both why before you pay.`,
      evidence: { formerPayeeId: payeeId },
    });
    expect(unknown).toMatchObject({ rule: "payee_not_trusted", evidence: { formerPayeeId: payeeId } });
  }
  const [never] = await pay("083004");
  expect(never?.rule).toBe("payee_not_trusted");
  expect(never?.evidence).not.toHaveProperty("formerPayeeId");
});

test("a payment to an archived payee is held, and says that it was archived", async () => {
  const { services, actor, payeeId } = await anOrganizationAtWork();
  await archivePayee(services, actor, payeeId);
  const { reasons } = await recordPayment(services, actor, { payment: aNewPayment({ payeeId }) });
  expect(reasons.map(({ rule }) => rule)).toEqual(["former_account", "payee_not_trusted"]);
  expect(reasons[0]?.message).toMatch(/^This account belongs to .*, a payee that was archived on 20 Nov 2026\./);
  expect(reasons[1]?.message).toMatch(/: it was archived, and a person has to restore it before it is paid again\.$/);
});

test("a payment that came back is said of the next one and on the payee's page, until one goes through", async () => {
  const { services, actor, payeeId, pay } = await anOrganizationAtWork();
  const { id: paymentId } = await aPayment(services, actor, payeeId, { amount: 70_000, reference: "R-1" });
  const reason = "The account is closed";
  await recordOutcome(services, actor, { paymentId, status: "failed", reason, processedAt: null });
  const { reasons } = await recordPayment(services, actor, { payment: aNewPayment({ payeeId }, { amount: 80_000 }) });
  expect(reasons.map(({ rule, message }) => [rule, message])).toEqual([
    ["payment_returned", expect.stringMatching(/came back on 20 Nov 2026: The account is closed\.$/)],
  ]);
  const returned = { paymentId, amount: 70_000, reference: "R-1", reason };
  expect(await findReturnToShow(services, actor, payeeId)).toMatchObject(returned);
  services.clock.advance(DAY_MS);
  await aPaidPayment(services, actor, payeeId);
  expect(await findReturnToShow(services, actor, payeeId)).toBeNull();
  expect(await pay(90_000)).toEqual({ decision: "authorised", rules: [] });
});

test("what the rules would have found is read from the decisions of the last 90 days", async () => {
  const { services, actor, payeeId, pay } = await anOrganizationAtWork();
  await pay(LIMIT + 1);
  await pay(100_000);
  await anUploadedFile(services, actor, [await readPayee(payeeId), { ...details(), amount: LIMIT + 1 }]);
  const { facts, isPartial } = await listDecidedFacts(services, actor.organizationId);
  expect(isPartial).toBe(false);
  expect(impactsOf(facts, {}).first_payment_limit).toEqual({
    count: 1,
    cents: LIMIT + 1,
    onlyCount: 1,
    onlyCents: LIMIT + 1,
  });
  expect(impactsOf(facts, {}).payee_not_trusted).toMatchObject({ count: 1, cents: LIMIT + 1 });
  services.clock.advance(91 * DAY_MS);
  expect((await listDecidedFacts(services, actor.organizationId)).facts).toEqual([]);
});

test("a payee with another payee's former account is not paid until a person approves it knowing that", async () => {
  const services = testServices();
  const actor = await aMember(services);
  const cassowary = await aTrustedPayee(services, actor, { name: "Cassowary Cleaning" });
  const { bsb, accountNumber } = cassowary.details;
  services.clock.advance(DAY_MS);
  await editPayee(services, actor, {
    payeeId: cassowary.payeeId,
    patch: { accountNumber: details().accountNumber },
  });
  const { payeeId, verificationId } = await anAddedPayee(services, actor, { bsb, accountNumber, name: "Bowerbird" });
  // Whitelisting by hand does not settle whose account it was.
  await whitelistByHand(services, actor, { payeeId, reason: "Called them" });
  const pay = (amount: number) => recordPayment(services, actor, { payment: aNewPayment({ payeeId }, { amount }) });
  const held = await pay(10_000);
  expect(held.decision).toBe("held");
  expect(held.reasons).toMatchObject([
    {
      rule: "former_account",
      level: "hold",
      message: expect.stringMatching(/^This account was Cassowary Cleaning's until .+, and no one has approved it for/),
      evidence: { payeeId, formerPayeeId: cassowary.payeeId },
    },
  ]);
  const review = { approved: true, addToGlobalWhitelist: false } as const;
  const refused = await refusal(reviewVerification(services, actor, { verificationId, review }));
  expect(refused).toMatchObject({
    code: "REASON_REQUIRED",
    extra: { flags: expect.arrayContaining(["former_account"]) },
  });
  const reason = "Both belong to the same owner, seen on the register";
  await reviewVerification(services, actor, { verificationId, review: { ...review, reason } });
  expect((await pay(10_001)).decision).toBe("authorised");
});

test("a payee that goes back to an account of its own is held for the change alone", async () => {
  const { services, actor, payeeId, pay } = await anOrganizationAtWork();
  const { accountNumber } = await readPayee(payeeId);
  services.clock.advance(DAY_MS);
  await editPayee(services, actor, { payeeId, patch: { accountNumber: details().accountNumber } });
  await editPayee(services, actor, { payeeId, patch: { accountNumber } });
  expect((await pay(10_000)).rules).not.toContain("former_account");
});
