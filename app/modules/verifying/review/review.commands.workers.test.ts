import { auditLogs, decisions, organizationPolicies, payees, paymentRecords, verifications } from "@db/database";
import { and, eq, sql } from "drizzle-orm";
import { expect } from "vitest";
import { AppError } from "~/kernel/app-error";
import { DAY_MS } from "~/kernel/dates";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { getVerification } from "~/modules/payees/verifications/verification.server";
import type { Actor, Services } from "~/services-and-actor";
import { aMember, anOrganization } from "../../../../tests/support/factories";
import { losingConnection } from "../../../../tests/support/lost-connections";
import { anAddedPayee, peek } from "../../../../tests/support/payees";
import { aPayment } from "../../../../tests/support/payments";
import { testServices } from "../../../../tests/support/services";
import { test } from "../../../../tests/support/signed-in";
import {
  aPendingVerification,
  changePayee,
  changeVerification,
  NO_EVIDENCE,
} from "../../../../tests/support/verifications";
import { basisOf, type Review } from "./review";
import { reviewVerification } from "./review.server";

const approve: Review = { approved: true, addToGlobalWhitelist: false };
const approveGlobally: Review = { approved: true, addToGlobalWhitelist: true };
const reject: Review = { approved: false, reason: "Manual rejection" };

type Ids = Awaited<ReturnType<typeof aPendingVerification>>;

async function read({ db }: Services, { organizationId, payeeId, verificationId }: Ids) {
  const [verification] = await db
    .select()
    .from(verifications)
    .where(and(eq(verifications.organizationId, organizationId), eq(verifications.id, verificationId)));
  const [payee] = await db
    .select()
    .from(payees)
    .where(and(eq(payees.organizationId, organizationId), eq(payees.id, payeeId)));
  const made = await db
    .select()
    .from(decisions)
    .where(and(eq(decisions.organizationId, organizationId), eq(decisions.verificationId, verificationId)));
  const audit = await db
    .select()
    .from(auditLogs)
    .where(
      and(
        eq(auditLogs.organizationId, organizationId),
        eq(auditLogs.entityType, "verification"),
        eq(auditLogs.entityId, verificationId),
      ),
    );
  if (!verification || !payee) throw new Error("missing");
  return { verification, payee, decisions: made, audit };
}

const refusal = async (promise: Promise<unknown>): Promise<AppError> => {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw new Error(`not refused: ${String(error)}`);
  return error;
};

const colleagueOf = (services: Services, actor: Actor, firstName: string) =>
  aMember(services, { firstName, organization: { id: actor.organizationId, name: actor.organizationName } });

test("approving verifies, whitelists the payee and leaves one audit row that tells a self-approval", async ({
  services,
  actor,
}) => {
  const ids = await aPendingVerification(services, actor);
  const answer = await reviewVerification(services, actor, { verificationId: ids.verificationId, review: approve });
  expect(answer.status).toBe("verified");
  const { verification, payee, audit } = await read(services, ids);
  const now = services.clock.now();
  expect(verification).toMatchObject({ status: "verified", approved: true, approvedAt: now, method: "manual" });
  expect(payee).toMatchObject({ whitelisted: true, whitelistedById: actor.userId, whitelistGlobal: false });
  expect(audit).toHaveLength(1);
  expect(audit[0]).toMatchObject({ action: "verification.approved", details: { selfApproval: true } });
  expect(JSON.stringify(audit)).not.toContain(ids.details.accountNumber);
});

test("approving globally whitelists for every organisation, and a colleague's approval is no self-approval", async ({
  services,
  actor: requester,
}) => {
  const reviewer = await colleagueOf(services, requester, "Dana");
  const ids = await aPendingVerification(services, requester, { checked: { method: "basiq" } });
  await reviewVerification(services, reviewer, { verificationId: ids.verificationId, review: approveGlobally });
  const { verification, payee, audit } = await read(services, ids);
  expect(verification.method).toBe("basiq");
  expect(payee.whitelistGlobal).toBe(true);
  expect(audit[0]?.details).toMatchObject({ selfApproval: false, addToGlobalWhitelist: true });
});

test("rejecting keeps the reason, trusts the payee no more and answers a dispute", async ({ services, actor }) => {
  const ids = await aPendingVerification(services, actor);
  await changePayee(services, ids, { whitelisted: true, whitelistGlobal: true, disputedAt: 1 });
  await changeVerification(services, ids, { disputedByPayeeAt: 1 });
  const review: Review = { approved: false, reason: "The phone number on the invoice is wrong" };
  await reviewVerification(services, actor, { verificationId: ids.verificationId, review });
  const { verification, payee, decisions } = await read(services, ids);
  expect(verification).toMatchObject({ status: "rejected", approved: false, rejectedReason: review.reason });
  expect(payee).toMatchObject({ whitelisted: false, whitelistGlobal: false, disputedAt: null });
  expect(decisions).toMatchObject([{ decidedById: actor.userId, reason: review.reason, status: "rejected" }]);
});

test("of twenty reviewers at once exactly one decides, and the others are told who did", async ({
  services,
  actor: requester,
}) => {
  const ids = await aPendingVerification(services, requester);
  const reviewers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => colleagueOf(services, requester, `Reviewer${i}`)),
  );
  const results = await Promise.allSettled(
    reviewers.map((reviewer, i) =>
      reviewVerification(services, reviewer, {
        verificationId: ids.verificationId,
        review: i % 2 ? approve : reject,
      }),
    ),
  );
  const winners = results.flatMap((result, i) => (result.status === "fulfilled" ? [reviewers[i]] : []));
  expect(winners).toHaveLength(1);
  const { verification, payee, decisions, audit } = await read(services, ids);
  expect(decisions).toHaveLength(1);
  expect(decisions[0]?.decidedById).toBe(winners[0]?.userId);
  expect(payee.whitelisted).toBe(verification.status === "verified");
  expect(audit).toHaveLength(1);
  for (const result of results) {
    if (result.status === "fulfilled") continue;
    expect(result.reason).toMatchObject({ status: 409, code: "ALREADY_DECIDED" });
    expect(result.reason.message).toContain(winners[0]?.firstName);
    expect(result.reason.message).toContain(verification.status === "verified" ? "approved" : "rejected");
  }
});

test("a form sent twenty times at once decides once and is answered with success each time", async ({
  services,
  actor,
}) => {
  const ids = await aPendingVerification(services, actor);
  const input = { verificationId: ids.verificationId, review: approve, idempotencyKey: services.ids.next() };
  const answers = await Promise.all(Array.from({ length: 20 }, () => reviewVerification(services, actor, input)));
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set(["verified"]));
  expect((await read(services, ids)).audit).toHaveLength(1);
});

test("a key used for one decision is refused for another, and for another person's", async ({ services, actor }) => {
  const other = await colleagueOf(services, actor, "Dana");
  const ids = await aPendingVerification(services, actor);
  const idempotencyKey = services.ids.next();
  const input = { verificationId: ids.verificationId, idempotencyKey };
  await reviewVerification(services, actor, { ...input, review: approve });
  expect((await refusal(reviewVerification(services, actor, { ...input, review: reject }))).code).toBe(
    "IDEMPOTENCY_CONFLICT",
  );
  expect((await refusal(reviewVerification(services, other, { ...input, review: approve }))).status).toBe(409);
});

test.each(["before", "after"] as const)("a connection lost %s the commit still gives one decision", async (when) => {
  const services = testServices();
  const actor = await aMember(services);
  const ids = await aPendingVerification(services, actor);
  const faulty = { ...services, db: losingConnection(services.db, when) };
  const answer = await reviewVerification(faulty, actor, { verificationId: ids.verificationId, review: approve });
  expect(answer.status).toBe("verified");
  const { decisions, audit } = await read(services, ids);
  expect(decisions).toHaveLength(1);
  expect(audit).toHaveLength(1);
});

test("a database that stays away leaves the verification as it was", async ({ services, actor }) => {
  const ids = await aPendingVerification(services, actor);
  const faulty = { ...services, db: losingConnection(services.db, "before", 10) };
  const input = { verificationId: ids.verificationId, review: approve };
  await expect(reviewVerification(faulty, actor, input)).rejects.toThrow("Network connection lost");
  const { verification, payee, audit } = await read(services, ids);
  expect(verification.status).toBe("pending");
  expect(payee.whitelisted).toBe(false);
  expect(audit).toHaveLength(0);
});

test("details that were changed since they were submitted are never whitelisted", async ({ services, actor }) => {
  const ids = await aPendingVerification(services, actor);
  await changePayee(services, ids, { accountNumber: "99887766" });
  const input = { verificationId: ids.verificationId, review: approve };
  expect(await refusal(reviewVerification(services, actor, input))).toMatchObject({
    status: 409,
    code: "DETAILS_CHANGED",
  });
  const { verification, payee } = await read(services, ids);
  expect(verification.status).toBe("pending");
  expect(payee.whitelisted).toBe(false);
});

test.each([
  ["a new account number", (services: Services, ids: Ids) => changePayee(services, ids, { accountNumber: "11223344" })],
  ["a dispute", (services: Services, ids: Ids) => changeVerification(services, ids, { disputedByPayeeAt: 5 })],
] as const)("%s that arrives while the decision is being written stops it", async (_, change) => {
  const services = testServices();
  const actor = await aMember(services);
  const ids = await aPendingVerification(services, actor);
  const batch = async (statements: Parameters<Services["db"]["batch"]>[0]) => {
    await change(services, ids);
    return services.db.batch(statements);
  };
  const db = new Proxy(services.db, {
    get: (target, name) => (name === "batch" ? batch : Reflect.get(target, name, target)),
  });
  const input = { verificationId: ids.verificationId, review: approve };
  const error = await refusal(reviewVerification({ ...services, db }, actor, input));
  expect(error).toMatchObject({ status: 409, code: "VERIFICATION_CHANGED" });
  expect((await read(services, ids)).payee.whitelisted).toBe(false);
});

test("a form that showed an older result is asked to look again", async ({ services, actor }) => {
  const ids = await aPendingVerification(services, actor);
  const seen = basisOf(await getVerification(services, actor, ids.verificationId));
  await changeVerification(services, ids, { outcome: "no_match", nameMatchScore: 12 });
  const input = { verificationId: ids.verificationId, review: { ...approve, reason: "Called them" } };
  expect((await refusal(reviewVerification(services, actor, { ...input, basis: seen }))).code).toBe(
    "VERIFICATION_CHANGED",
  );
  const basis = basisOf(await getVerification(services, actor, ids.verificationId));
  expect((await reviewVerification(services, actor, { ...input, basis })).status).toBe("verified");
});

test("where a second person is required the requester may reject but not approve", async ({
  services,
  actor: requester,
}) => {
  const reviewer = await colleagueOf(services, requester, "Dana");
  const { organizationId } = requester;
  await services.db
    .insert(organizationPolicies)
    .values({ organizationId, secondPersonRequired: true, updatedAt: services.clock.now() });
  const ids = await aPendingVerification(services, requester);
  const input = { verificationId: ids.verificationId, review: approve };
  expect(await refusal(reviewVerification(services, requester, input))).toMatchObject({
    status: 403,
    code: "SECOND_PERSON_REQUIRED",
  });
  expect((await reviewVerification(services, reviewer, input)).status).toBe("verified");
  const other = await aPendingVerification(services, requester);
  const rejected = await reviewVerification(services, requester, {
    verificationId: other.verificationId,
    review: reject,
  });
  expect(rejected.status).toBe("rejected");
});

const requireSecondPerson = ({ db }: Services, { organizationId }: Actor) =>
  db.insert(organizationPolicies).values({ organizationId, secondPersonRequired: true, updatedAt: 0 });

const verificationOf = async (services: Services, actor: Actor, payeeId: string) => {
  const found = await services.db
    .select({ id: verifications.id })
    .from(verifications)
    .where(
      and(
        eq(verifications.organizationId, actor.organizationId),
        eq(verifications.payeeId, payeeId),
        sql`${verifications.status} = 'pending'`,
      ),
    );
  return found[0]?.id ?? "";
};

test("attack: the person who entered the account cannot approve it after a colleague's edit of the name", async ({
  services,
  actor: thief,
}) => {
  const colleague = await colleagueOf(services, thief, "Dana");
  const third = await colleagueOf(services, thief, "Noor");
  await requireSecondPerson(services, thief);
  const { payeeId } = await anAddedPayee(services, third);
  await editPayee(services, thief, { payeeId, patch: { bsb: "033001", accountNumber: "99887711" } });
  await editPayee(services, colleague, { payeeId, patch: { accountName: "Wattle Creek Electrical P/L" } });
  const input = { verificationId: await verificationOf(services, thief, payeeId), review: approve };
  for (const person of [thief, colleague]) {
    const error = await refusal(reviewVerification(services, person, input));
    expect(error).toMatchObject({ status: 403, code: "SECOND_PERSON_REQUIRED" });
  }
  const independent = await colleagueOf(services, thief, "Ines");
  expect((await reviewVerification(services, independent, input)).status).toBe("verified");
});

test("attack: the person who recorded a payment that is held cannot approve the verification it waits for", async ({
  services,
  actor: requester,
}) => {
  const recorder = await colleagueOf(services, requester, "Dana");
  await requireSecondPerson(services, requester);
  const ids = await aPendingVerification(services, requester);
  const payment = await aPayment(services, recorder, ids.payeeId);
  expect(payment.status).toBe("held");
  const input = { verificationId: ids.verificationId, review: approve };
  expect((await refusal(reviewVerification(services, recorder, input))).code).toBe("SECOND_PERSON_REQUIRED");
});

test("a rejection holds authorised payments to the payee again", async ({ services, actor }) => {
  const ids = await aPendingVerification(services, actor);
  const { accountName, bsb, accountNumber } = ids.details;
  const paymentId = services.ids.next();
  await services.db.insert(paymentRecords).values({
    id: paymentId,
    organizationId: actor.organizationId,
    payeeId: ids.payeeId,
    amount: 125_00,
    status: "authorised",
    accountName,
    bsb,
    accountNumber,
    reasons: [],
    createdAt: 0,
    updatedAt: 0,
  });
  await reviewVerification(services, actor, { verificationId: ids.verificationId, review: reject });
  const [payment] = await services.db
    .select()
    .from(paymentRecords)
    .where(and(eq(paymentRecords.organizationId, actor.organizationId), eq(paymentRecords.id, paymentId)));
  expect(payment?.status).toBe("held");
});

test("a verification of another organisation is not there", async ({ services, actor }) => {
  const stranger = await aMember(services);
  const ids = await aPendingVerification(services, actor);
  const foreign = await refusal(
    reviewVerification(services, stranger, { verificationId: ids.verificationId, review: approve }),
  );
  const missing = await refusal(
    reviewVerification(services, stranger, { verificationId: services.ids.next(), review: approve }),
  );
  expect([foreign.status, foreign.code, foreign.message]).toEqual([missing.status, missing.code, missing.message]);
  expect(foreign.status).toBe(404);
  expect((await read(services, ids)).verification.status).toBe("pending");
});

test("a review works after the trial has ended, and payments that waited for it are held again", async () => {
  const services = testServices();
  const organization = await anOrganization(services, { trialEndsAt: services.clock.now() - 1 });
  const actor = await aMember(services, { organization });
  const ids = await aPendingVerification(services, actor);
  const now = services.clock.now();
  const { accountName, bsb, accountNumber } = ids.details;
  const paymentId = services.ids.next();
  await services.db.insert(paymentRecords).values({
    id: paymentId,
    organizationId: actor.organizationId,
    payeeId: ids.payeeId,
    verificationId: ids.verificationId,
    amount: 125_00,
    status: "verification_requested",
    accountName,
    bsb,
    accountNumber,
    reasons: [],
    createdAt: now,
    updatedAt: now,
  });
  await reviewVerification(services, actor, { verificationId: ids.verificationId, review: approve });
  const [payment] = await services.db
    .select()
    .from(paymentRecords)
    .where(and(eq(paymentRecords.organizationId, actor.organizationId), eq(paymentRecords.id, paymentId)));
  expect(payment?.status).toBe("held");
});

test("the rows read for a decision do not grow with the organisation", async () => {
  const cost = async (others: number) => {
    let rows = 0;
    const services = testServices({ meter: (_, meta) => (rows += meta.rowsRead) });
    const actor = await aMember(services);
    for (let i = 0; i < others; i++) await aPendingVerification(services, actor);
    const { verificationId } = await aPendingVerification(services, actor);
    rows = 0;
    await reviewVerification(services, actor, { verificationId, review: approve });
    return rows;
  };
  expect(await cost(40)).toBe(await cost(5));
});

const lookalike = {
  payeeId: "0198c5a0-0000-7000-8000-000000000000",
  name: "Riverbend Timbers",
  reason: "same_name",
  detail: "Almost the name of another payee.",
} as const;

const formerHolder = {
  payeeId: "0198c5a0-0000-7000-8000-000000000001",
  name: "Cassowary Cleaning",
  until: "2026-11-22T13:00:00.000Z",
  isArchived: false,
};

test.each<[string, Parameters<typeof aPendingVerification>[2], string[]]>([
  ["the payee disputed the details", { checked: { disputedByPayeeAt: 1 } }, ["disputed"]],
  [
    "the bank's name does not match",
    { checked: { outcome: "no_match" as const, nameMatchScore: 20, verifiedName: "B Marlow" } },
    ["name_mismatch"],
  ],
  ["a look-alike stands open", { evidence: { ...NO_EVIDENCE, lookalikes: [lookalike] } }, ["lookalike"]],
  [
    "the account was another payee's",
    { evidence: { ...NO_EVIDENCE, formerHolders: [formerHolder] }, checked: { outcome: "match", nameMatchScore: 100 } },
    ["former_account"],
  ],
  [
    "the account is in a different name from the payee's",
    { payee: { name: "Zephyr Mining NL" }, checked: { outcome: "match", nameMatchScore: 100 } },
    ["name_of_payee_differs"],
  ],
])("an approval without a reason is refused where %s, and one with a reason is kept", async (_case, input, flags) => {
  const services = testServices();
  const actor = await aMember(services);
  const ids = await aPendingVerification(services, actor, input);
  const { verificationId } = ids;
  const error = await refusal(reviewVerification(services, actor, { verificationId, review: approve }));
  expect([error.code, error.status, error.extra]).toEqual(["REASON_REQUIRED", 409, { flags }]);
  expect((await read(services, ids)).verification.status).toBe("pending");

  const reason = "Called on the number from the 2024 contract; spoke to Dana";
  await reviewVerification(services, actor, { verificationId, review: { ...approve, reason } });
  const after = await read(services, ids);
  expect(after.verification.status).toBe("verified");
  expect(after.decisions).toMatchObject([{ reason }]);
  expect(after.audit.at(-1)?.details).toMatchObject({ reason });
});

test("contact and bank details changed close together: approving asks for a reason, also under an exact name", async ({
  services,
  actor,
}) => {
  const ids = await aPendingVerification(services, actor, { checked: { outcome: "match", nameMatchScore: 100 } });
  const { verificationId, payeeId } = ids;
  const now = services.clock.now();
  const changedAt = { bankDetailsChangedAt: now, contactChangedAt: now - 20 * DAY_MS };
  await peek.update(payees).set(changedAt).where(eq(payees.id, payeeId));
  const error = await refusal(reviewVerification(services, actor, { verificationId, review: approve }));
  expect(error).toMatchObject({ code: "REASON_REQUIRED", extra: { flags: ["contact_and_bank_changed"] } });
});

test("a reviewer who saw nothing against the details looks again when the payee was renamed meanwhile", async ({
  services,
  actor,
}) => {
  const ids = await aPendingVerification(services, actor, { checked: { outcome: "match", nameMatchScore: 100 } });
  const { verificationId, payeeId } = ids;
  const basis = basisOf(await getVerification(services, actor, verificationId));
  await peek.update(payees).set({ name: "Zephyr Mining NL" }).where(eq(payees.id, payeeId));
  const review = { ...approve, reason: "Compared the invoice" };
  const error = await refusal(reviewVerification(services, actor, { verificationId, review, basis }));
  expect(error.code).toBe("VERIFICATION_CHANGED");
});

test("an approval of what nobody checked needs no reason, and the audit trail says that nothing was checked", async ({
  services,
  actor,
}) => {
  const ids = await aPendingVerification(services, actor);
  await reviewVerification(services, actor, { verificationId: ids.verificationId, review: approve });
  const { audit } = await read(services, ids);
  expect(audit.at(-1)?.details).toMatchObject({ withoutCheck: true, flags: ["unchecked"], reason: null });
});
