import { auditLogs, counters, organizationPolicies, verifications } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { startVerification } from "~/modules/payees/open-verification.server";
import { keepAnswer } from "~/modules/payees/verifications/account-questions.server";
import { askConfirmationOfPayee } from "~/modules/verifying/bank-checks/instant-check.server";
import type { InstantAnswer } from "~/ports/instant-bank-data";
import type { Services } from "~/services-and-actor";
import { aMember, anOrganization } from "../../../tests/support/factories";
import { losingConnection } from "../../../tests/support/lost-connections";
import { aColleague, anAddedPayee, details, peek, refusal } from "../../../tests/support/payees";
import { aNewPayment, aPaidPayment, aPayment, aTrustedPayee, paymentsOf } from "../../../tests/support/payments";
import { testServices } from "../../../tests/support/services";
import { recordOutcome } from "./record-outcome.server";
import { recordPayment } from "./record-payment.server";

async function anOrganizationAtWork() {
  const services = testServices();
  const actor = await aMember(services);
  return { services, actor };
}

const rulesOf = ({ reasons }: { reasons: { rule: string }[] }) => reasons.map(({ rule }) => rule);

test("a payment to a trusted payee is authorised, with its account as it stands and one audit row", async () => {
  const { services, actor } = await anOrganizationAtWork();
  const payee = await aTrustedPayee(services, actor);
  const payment = aNewPayment({ payeeId: payee.payeeId }, { description: "November" });
  const recorded = await recordPayment(services, actor, { payment });
  expect(recorded).toMatchObject({ decision: "authorised", reasons: [] });
  const [row] = await paymentsOf(actor.organizationId);
  const { accountName, bsb, accountNumber } = payee.details;
  expect(row).toMatchObject({ status: "authorised", recordedById: actor.userId, accountName, bsb, accountNumber });
  const audits = await peek
    .select()
    .from(auditLogs)
    .where(and(eq(auditLogs.organizationId, actor.organizationId), eq(auditLogs.action, "payment.recorded")));
  expect(audits).toHaveLength(1);
  expect(JSON.stringify(audits[0]?.details)).not.toContain(accountNumber);
});

test("a payment to a payee that nobody verified is held, and counted", async () => {
  const { services, actor } = await anOrganizationAtWork();
  const { payeeId } = await anAddedPayee(services, actor);
  const recorded = await recordPayment(services, actor, { payment: aNewPayment({ payeeId }) });
  expect(recorded.decision).toBe("held");
  expect(rulesOf(recorded)).toEqual(["payee_not_trusted"]);
  const [held] = await peek
    .select()
    .from(counters)
    .where(and(eq(counters.organizationId, actor.organizationId), eq(counters.name, "heldPayments")));
  expect(held?.value).toBe(1);
});

test("an edit of the bank details holds the next payment for both reasons", async () => {
  const { services, actor } = await anOrganizationAtWork();
  const { payeeId } = await aTrustedPayee(services, actor);
  services.clock.advance(DAY_MS);
  await editPayee(services, actor, { payeeId, patch: { accountNumber: details().accountNumber } });
  const recorded = await recordPayment(services, actor, { payment: aNewPayment({ payeeId }) });
  expect(rulesOf(recorded)).toEqual(["details_changed", "payee_not_trusted"]);
});

test("an unknown account is held without a payee", async () => {
  const { services, actor } = await anOrganizationAtWork();
  const { bsb, accountNumber, accountName } = details();
  const recorded = await recordPayment(services, actor, {
    payment: aNewPayment({ bsb, accountNumber, accountName }),
  });
  expect(recorded).toMatchObject({ decision: "held", payment: { payeeId: null, payee: null } });
  expect(rulesOf(recorded)).toEqual(["payee_not_trusted"]);
});

test("an account is found as an own payee however its number is written", async () => {
  const { services, actor } = await anOrganizationAtWork();
  const { payeeId, details: known } = await aTrustedPayee(services, actor);
  const { bsb, accountName } = known;
  const accountNumber = `0${known.accountNumber}`;
  const recorded = await recordPayment(services, actor, { payment: aNewPayment({ bsb, accountNumber, accountName }) });
  expect(recorded).toMatchObject({ decision: "authorised", payment: { payeeId, accountNumber: known.accountNumber } });
});

test("a name that is not the payee's is kept with the payment and holds it", async () => {
  const { services, actor } = await anOrganizationAtWork();
  const { details: known } = await aTrustedPayee(services, actor);
  const { bsb, accountNumber } = known;
  const payment = aNewPayment({ bsb, accountNumber, accountName: "Jordan Castellano" });
  const recorded = await recordPayment(services, actor, { payment });
  expect(rulesOf(recorded)).toEqual(["name_differs"]);
  expect(recorded.payment.accountName).toBe("Jordan Castellano");
});

test("another organisation's payee does not exist, and its account is unknown", async () => {
  const { services, actor } = await anOrganizationAtWork();
  const other = await aTrustedPayee(services, await aMember(services));
  const error = await refusal(recordPayment(services, actor, { payment: aNewPayment({ payeeId: other.payeeId }) }));
  expect(error.status).toBe(404);
  const { bsb, accountNumber, accountName } = other.details;
  const recorded = await recordPayment(services, actor, { payment: aNewPayment({ bsb, accountNumber, accountName }) });
  expect(recorded.payment.payeeId).toBeNull();
});

test("the same payment again within thirty days is held, and after them it is not", async () => {
  const services = testServices();
  const organization = await anOrganization(services, { trialEndsAt: services.clock.now() + 365 * DAY_MS });
  const actor = await aMember(services, { organization });
  const { payeeId } = await aTrustedPayee(services, actor);
  const payment = aNewPayment({ payeeId });
  await recordPayment(services, actor, { payment });
  services.clock.advance(30 * DAY_MS - 1);
  expect(rulesOf(await recordPayment(services, actor, { payment }))).toEqual(["duplicate_payment"]);
  expect(rulesOf(await recordPayment(services, actor, { payment: { ...payment, amount: 125_001 } }))).toEqual([]);
  services.clock.advance(30 * DAY_MS);
  expect(rulesOf(await recordPayment(services, actor, { payment }))).toEqual([]);
});

test("a payment that came back may be made again", async () => {
  const { services, actor } = await anOrganizationAtWork();
  const { payeeId } = await aTrustedPayee(services, actor);
  const given = { reference: "INV-7", amount: 9_900 };
  const { id: paymentId } = await aPayment(services, actor, payeeId, given);
  await recordOutcome(services, actor, { paymentId, status: "failed", reason: "Returned", processedAt: null });
  expect((await aPayment(services, actor, payeeId, given)).status).toBe("authorised");
});

test("a paid invoice is not paid twice", async () => {
  const { services, actor } = await anOrganizationAtWork();
  const { payeeId } = await aTrustedPayee(services, actor);
  const given = { reference: "INV-8", amount: 9_900 };
  await aPaidPayment(services, actor, payeeId, given);
  expect((await aPayment(services, actor, payeeId, given)).status).toBe("held");
});

test("the organisation's rule levels decide what follows", async () => {
  const { services, actor } = await anOrganizationAtWork();
  const { payeeId } = await anAddedPayee(services, actor);
  const policy = { organizationId: actor.organizationId, updatedAt: services.clock.now() };
  await peek.insert(organizationPolicies).values({ ...policy, ruleLevels: { payee_not_trusted: "warn" } });
  const recorded = await recordPayment(services, actor, { payment: aNewPayment({ payeeId }) });
  expect(recorded).toMatchObject({ decision: "authorised", reasons: [{ rule: "payee_not_trusted", level: "warn" }] });
});

test("after the trial nothing is recorded", async () => {
  const services = testServices();
  const organization = await anOrganization(services);
  const actor = await aMember(services, { organization });
  const { payeeId } = await aTrustedPayee(services, actor);
  services.clock.advance(15 * DAY_MS);
  const error = await refusal(recordPayment(services, actor, { payment: aNewPayment({ payeeId }) }));
  expect(error).toMatchObject({ status: 402, code: "SUBSCRIPTION_REQUIRED" });
  expect(await paymentsOf(actor.organizationId)).toEqual([]);
});

test("twenty presses of one button make one payment, and all are answered alike", async () => {
  const { services, actor } = await anOrganizationAtWork();
  const { payeeId } = await aTrustedPayee(services, actor);
  const input = { payment: aNewPayment({ payeeId }), idempotencyKey: services.ids.next() };
  const answers = await Promise.all(Array.from({ length: 20 }, () => recordPayment(services, actor, input)));
  expect(new Set(answers.map(({ payment }) => payment.id)).size).toBe(1);
  expect(new Set(answers.map(({ decision }) => decision))).toEqual(new Set(["authorised"]));
  expect(await paymentsOf(actor.organizationId)).toHaveLength(1);
});

test("a key is answered as the first time and says what became of the payment since, and not for another payment", async () => {
  const { services, actor } = await anOrganizationAtWork();
  const { payeeId } = await aTrustedPayee(services, actor);
  const input = { payment: aNewPayment({ payeeId }), idempotencyKey: services.ids.next() };
  const first = await recordPayment(services, actor, input);
  await recordOutcome(services, actor, {
    paymentId: first.payment.id,
    status: "successful",
    reason: null,
    processedAt: null,
  });
  services.clock.advance(DAY_MS);
  const again = await recordPayment(services, actor, input);
  expect(again.payment).toMatchObject({ id: first.payment.id, status: "authorised", processedAt: null });
  expect([first.statusNow, again.statusNow]).toEqual(["authorised", "successful"]);
  const other = { ...input, payment: { ...input.payment, amount: 1 } };
  expect(await refusal(recordPayment(services, actor, other))).toMatchObject({
    code: "IDEMPOTENCY_CONFLICT",
    status: 409,
  });
  const colleague = await aColleague(services, actor);
  expect((await refusal(recordPayment(services, colleague, input))).code).toBe("IDEMPOTENCY_CONFLICT");
});

test("the same payment from two people at once is authorised once", async () => {
  const { services, actor } = await anOrganizationAtWork();
  const colleague = await aColleague(services, actor);
  const { payeeId } = await aTrustedPayee(services, actor);
  const payment = aNewPayment({ payeeId });
  const both = await Promise.all([
    recordPayment(services, actor, { payment }),
    recordPayment(services, colleague, { payment }),
  ]);
  expect(both.map(({ decision }) => decision).sort()).toEqual(["authorised", "held"]);
});

test("of twenty equal payments at once, all are recorded and one is authorised", async () => {
  const { services, actor } = await anOrganizationAtWork();
  const { payeeId } = await aTrustedPayee(services, actor);
  const payment = aNewPayment({ payeeId });
  const all = await Promise.all(Array.from({ length: 20 }, () => recordPayment(services, actor, { payment })));
  expect(all.filter(({ decision }) => decision === "authorised")).toHaveLength(1);
  expect(await paymentsOf(actor.organizationId)).toHaveLength(20);
});

test.each(["before", "after"] as const)("a connection lost %s the commit leaves one payment", async (when) => {
  const { services, actor } = await anOrganizationAtWork();
  const { payeeId } = await aTrustedPayee(services, actor);
  const shaky: Services = { ...services, db: losingConnection(services.db, when) };
  const recorded = await recordPayment(shaky, actor, { payment: aNewPayment({ payeeId }) });
  expect(recorded.decision).toBe("authorised");
  expect(await paymentsOf(actor.organizationId)).toHaveLength(1);
});

/** Services that run `happens` before their first batch, between reading and committing. */
function meanwhile(services: Services, happens: () => Promise<unknown>): Services {
  let isFirst = true;
  const batch = async (statements: Parameters<Services["db"]["batch"]>[0]) => {
    if (isFirst) {
      isFirst = false;
      await happens();
    }
    return services.db.batch(statements);
  };
  const db = new Proxy(services.db, {
    get: (target, name) => (name === "batch" ? batch : Reflect.get(target, name, target)),
  });
  return { ...services, db };
}

test("a payee edited between reading and commit gets no authorised payment", async () => {
  const { services, actor } = await anOrganizationAtWork();
  const colleague = await aColleague(services, actor);
  const { payeeId } = await aTrustedPayee(services, actor);
  const accountNumber = details().accountNumber;
  const edited = meanwhile(services, () => editPayee(services, colleague, { payeeId, patch: { accountNumber } }));
  const recorded = await recordPayment(edited, actor, { payment: aNewPayment({ payeeId }) });
  expect(recorded).toMatchObject({ decision: "held", payment: { accountNumber } });
  expect(rulesOf(recorded)).toContain("payee_not_trusted");
  expect(await paymentsOf(actor.organizationId)).toHaveLength(1);
});

test.each<InstantAnswer>([
  { verdict: "no_match", name: "J R PELLEW" },
  { verdict: "account_closed", name: null },
  { verdict: "account_not_found", name: null },
])(
  "a bank that says $verdict of a trusted payee's account between reading and commit holds the payment",
  async (answer) => {
    const { services, actor } = await anOrganizationAtWork();
    const { payeeId } = await aTrustedPayee(services, actor);
    services.clock.advance(DAY_MS);
    const { verificationId } = await startVerification(services, actor, payeeId);
    const asking = { ...services, instantBankData: { party: "cop", service: "Zepto", lookUp: async () => answer } };
    const answered = meanwhile(services, () => askConfirmationOfPayee(asking, actor, { verificationId }));
    const recorded = await recordPayment(answered, actor, { payment: aNewPayment({ payeeId }) });
    expect(recorded.decision).toBe("held");
    expect(rulesOf(recorded)).toContain("bank_answer");
    expect(await paymentsOf(actor.organizationId)).toHaveLength(1);
  },
);

test("a payment to an account that a bank has just spoken against is held at once, though the answer took a moment to write", async () => {
  const { services, actor } = await anOrganizationAtWork();
  const { payeeId } = await aTrustedPayee(services, actor);
  services.clock.advance(DAY_MS);
  const { verificationId } = await startVerification(services, actor, payeeId);
  const clock = {
    now: () => {
      services.clock.advance(7);
      return services.clock.now();
    },
  };
  const lookUp = async (): Promise<InstantAnswer> => ({ verdict: "no_match", name: "J R PELLEW" });
  const asking = { ...services, clock, instantBankData: { party: "cop", service: "Zepto", lookUp } };
  await askConfirmationOfPayee(asking, actor, { verificationId });
  for (const later of [0, DAY_MS]) {
    services.clock.advance(later);
    const recorded = await recordPayment(services, actor, { payment: aNewPayment({ payeeId }) });
    expect(rulesOf(recorded)).toContain("bank_answer");
  }
});

test("a bank's answer that came before an account was looked at, and was written after, holds the payment", async () => {
  const { services, actor } = await anOrganizationAtWork();
  const account = details();
  const resultData = { source: "cop", checkedAt: services.clock.now() - 20 } as const;
  const said = { outcome: "no_match", reasonCode: null, resultData, verificationId: null } as const;
  const written = meanwhile(services, async () => {
    services.clock.advance(5);
    await services.db.batch([keepAnswer(services, actor.organizationId, account, said)]);
  });
  const { bsb, accountNumber, accountName } = account;
  const recorded = await recordPayment(written, actor, { payment: aNewPayment({ bsb, accountNumber, accountName }) });
  expect(rulesOf(recorded)).toContain("bank_answer");
});

test("a payment that a bank's answer holds is judged again where the bank says something else before it is written", async () => {
  const { services, actor } = await anOrganizationAtWork();
  const { payeeId } = await aTrustedPayee(services, actor);
  services.clock.advance(DAY_MS);
  const { verificationId } = await startVerification(services, actor, payeeId);
  const ask = (answer: InstantAnswer) =>
    askConfirmationOfPayee(
      { ...services, instantBankData: { party: "cop", service: "Zepto", lookUp: async () => answer } },
      actor,
      { verificationId },
    );
  await ask({ verdict: "no_match", name: "J R PELLEW" });
  const asked = meanwhile(services, () =>
    peek
      .update(verifications)
      .set({ outcome: "account_closed", resultData: { source: "cop", checkedAt: services.clock.now() + 1 } })
      .where(eq(verifications.id, verificationId)),
  );
  const { reasons } = await recordPayment(asked, actor, { payment: aNewPayment({ payeeId }) });
  expect(reasons.find(({ rule }) => rule === "bank_answer")?.evidence).toMatchObject({ outcome: "account_closed" });
});

test("an account that becomes a payee between reading and commit is paid as that payee", async () => {
  const { services, actor } = await anOrganizationAtWork();
  const given = details();
  const { bsb, accountNumber, accountName } = given;
  let payeeId = "";
  const added = meanwhile(services, async () => {
    payeeId = (await anAddedPayee(services, actor, given)).payeeId;
  });
  const recorded = await recordPayment(added, actor, { payment: aNewPayment({ bsb, accountNumber, accountName }) });
  expect(recorded).toMatchObject({ decision: "held", payment: { payeeId } });
});
