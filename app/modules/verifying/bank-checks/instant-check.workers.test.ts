import { accountQuestions, auditLogs, organizationPolicies, organizations, users } from "@db/database";
import { and, desc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "~/kernel/dates";
import { reviewVerification } from "~/modules/verifying/review/review.server";
import type { InstantAnswer, InstantBankData } from "~/ports/instant-bank-data";
import { aCase, type Case, readChecks, readPayee, readVerification } from "../../../../tests/support/bank-checks";
import { aMember } from "../../../../tests/support/factories";
import { losingConnection } from "../../../../tests/support/lost-connections";
import { alertsAbout, interrupted, refusal } from "../../../../tests/support/payees";
import { aWorld, type World } from "../../../../tests/support/simulators";
import {
  aPendingVerification,
  changePayee,
  changeVerification,
  NO_EVIDENCE,
} from "../../../../tests/support/verifications";
import { askConfirmationOfPayee } from "./instant-check.server";
import { countOneQuestion, countQuestions } from "./question-limits.server";
import { startBankDataCheck } from "./start-bank-check.server";

const ACCOUNT_NAME = "Riverbend Timber Pty Ltd";
const REJECT = { approved: false, reason: "Manual rejection" } as const;

const check = (world: Parameters<typeof askConfirmationOfPayee>[0], of: Case, idempotencyKey?: string) =>
  askConfirmationOfPayee(world, of.actor, { verificationId: of.verificationId, idempotencyKey });

/** A provider that gives these answers in turn, repeats the last one, and records its questions. */
function aProvider(...answers: InstantAnswer[]) {
  const asked: Parameters<InstantBankData["lookUp"]>[0][] = [];
  const instantBankData: InstantBankData = {
    party: "cop",
    service: "Zepto",
    async lookUp(question) {
      asked.push(question);
      const answer = answers[Math.min(asked.length, answers.length) - 1];
      if (!answer) throw new Error("no answer is left");
      return answer;
    },
  };
  return { asked, instantBankData };
}

const MATCH: InstantAnswer = { verdict: "match", name: "RIVERBEND TIMBER PTY LTD" };

/** The audit entries about the verification, oldest first. */
async function trailOf({ db }: World, { organizationId, verificationId }: Case) {
  const rows = await db
    .select({ action: auditLogs.action, userId: auditLogs.userId, details: auditLogs.details })
    .from(auditLogs)
    .where(
      and(
        eq(auditLogs.organizationId, organizationId),
        eq(auditLogs.entityType, "verification"),
        eq(auditLogs.entityId, verificationId),
      ),
    )
    .orderBy(desc(auditLogs.position));
  return rows.reverse();
}

const setPolicy = ({ db, clock }: World, of: Case, policy: Partial<typeof organizationPolicies.$inferInsert>) =>
  db.insert(organizationPolicies).values({ organizationId: of.organizationId, updatedAt: clock.now(), ...policy });

/** A new verification of the same payee details, after the first was decided. */
async function aSecondVerification(world: World, own: Case): Promise<Case> {
  await reviewVerification(world, own.actor, { ...own, review: REJECT });
  const other = await aPendingVerification(world, own.actor);
  const { organizationId, verificationId } = other;
  const { accountName, bsb, accountNumber } = own.details;
  const details = { payeeId: own.payeeId, accountName, bsb, accountNumber };
  await changeVerification(world, { organizationId, verificationId }, details);
  return { ...own, verificationId };
}

test.each([
  ["12345678", "match", null, 95, "pending", "exact"],
  ["12345901", "close_match", null, 70, "pending", "fuzzy"],
  ["12345902", "no_match", "name_not_confirmed", null, "pending", "none"],
  ["12345904", "account_closed", "account_closed", null, "failed", "none"],
  ["12345905", "no_match", "account_not_found", null, "failed", "none"],
  ["12345911", "unable", "bank_not_confirmed", null, "pending", "none"],
] as const)(
  "an account that ends so (%s): %s %s",
  async (accountNumber, outcome, reasonCode, least, status, matchType) => {
    const world = aWorld();
    const own = await aCase(world, { accountNumber });
    expect(await check(world, own)).toEqual({ state: "answered", outcome, reasonCode });
    const row = await readVerification(world, own);
    expect(row).toMatchObject({ method: "basiq", outcome, reasonCode, status, matchType });
    expect(row.resultData?.source).toBe("cop");
    if (least === null) expect(row.nameMatchScore).toBeNull();
    else expect(row.nameMatchScore).toBeGreaterThanOrEqual(least);
    const [entry] = (await trailOf(world, own)).filter(({ action }) => action === "verification.checked_at_once");
    expect(entry).toMatchObject({ userId: own.actor.userId, details: { source: "cop", purpose: "VADR", outcome } });
    expect((await readPayee(world, own)).whitelisted).toBe(false);
  },
);

test("what is sent: the submitted details, the organisation, and an id of its own for each try", async () => {
  const world = aWorld();
  const own = await aCase(world);
  const { asked, instantBankData } = aProvider({ verdict: "unable", problem: "bank_unable_now" }, MATCH);
  await check({ ...world, instantBankData }, own);
  await check({ ...world, instantBankData }, own);
  const { bsb, accountNumber } = own.details;
  const sent = { requesterId: own.organizationId, accountName: ACCOUNT_NAME, bsb, accountNumber };
  expect(asked).toMatchObject([sent, sent]);
  expect(new Set(asked.map(({ lookUpId }) => lookUpId)).size).toBe(2);
  expect((await readVerification(world, own)).outcome).toBe("match");
});

test.each([
  ["429", "provider_busy"],
  ["500", "answer_lost"],
  ["lost_acknowledgement", "answer_lost"],
  ["malformed", "answer_unclear"],
])("a provider that fails (%s) is no word about the payee, and can be asked again", async (fault, reasonCode) => {
  const world = aWorld();
  const own = await aCase(world, { accountNumber: "12345678" });
  await world.fault({ party: "cop", fault, times: 1 });
  expect(await check(world, own)).toMatchObject({ outcome: "unable", reasonCode });
  expect(await readVerification(world, own)).toMatchObject({ status: "pending", outcome: "unable", cost: 0 });
  expect(await check(world, own)).toMatchObject({ outcome: "match" });
});

test("without a provider nothing is asked", async () => {
  const world = aWorld();
  const own = await aCase(world);
  const error = await refusal(check({ ...world, instantBankData: undefined }, own));
  expect(error).toMatchObject({ status: 409, code: "INSTANT_CHECK_NOT_CONFIGURED" });
});

test("an answer that says nothing never takes the place of an earlier one, and its way is closed where it stays so", async () => {
  const world = aWorld();
  const own = await aCase(world);
  await changeVerification(world, own, { outcome: "no_match", nameMatchScore: 30, verifiedName: "OTHER" });
  const { instantBankData } = aProvider({ verdict: "unable", problem: "bank_not_confirmed" });
  await check({ ...world, instantBankData }, own);
  expect(await readVerification(world, own)).toMatchObject({ outcome: "no_match", verifiedName: "OTHER" });
  await changeVerification(world, own, { outcome: null, nameMatchScore: null, verifiedName: null });
  await check({ ...world, instantBankData }, own);
  expect(await refusal(check({ ...world, instantBankData }, own))).toMatchObject({ code: "CHECK_WOULD_REPEAT" });
  // A check with the payee's consent may still give an answer.
  expect(await startBankDataCheck(world, own.actor, own)).toHaveProperty("checkId");
});

test("the same account and name are answered from the bank's answer of the last 24 hours, and the trail says so", async () => {
  const world = aWorld();
  world.config.instantCheckCostCents = 7;
  const own = await aCase(world);
  const { asked, instantBankData } = aProvider(MATCH);
  const by = { ...world, instantBankData };
  await check(by, own);
  await check(by, own);
  const second = await aSecondVerification(world, own);
  world.clock.advance(DAY_MS - 1);
  expect(await check(by, second)).toMatchObject({ outcome: "match" });
  expect(asked).toHaveLength(1);
  const entries = [...(await trailOf(world, own)), ...(await trailOf(world, second))];
  const told = entries.filter(({ action }) => action === "verification.checked_at_once");
  expect(told.map(({ details }) => details?.answeredFrom)).toEqual([undefined, own.verificationId, own.verificationId]);
  expect((await readVerification(world, own)).cost).toBe(7);
  expect(await readVerification(world, second)).toMatchObject({ outcome: "match", cost: 0 });
  world.clock.advance(1);
  await check(by, second);
  expect(asked).toHaveLength(2);
});

test.each([
  [
    "where the organisation approves exact results by rule",
    { autoApproveExact: true },
    { draftSince: null },
    "verified",
  ],
  [
    "a second person is asked for",
    { autoApproveExact: true, secondPersonRequired: true },
    { draftSince: null },
    "pending",
  ],
  ["off by default", {}, { draftSince: null }, "pending"],
  ["a draft that no person has accepted", { autoApproveExact: true }, { draftSince: 1 }, "pending"],
  ["a dispute of the payee that still stands", { autoApproveExact: true }, { disputedAt: 1 }, "pending"],
])("an exact answer, %s", async (_, policy, payee, status) => {
  const world = aWorld();
  const own = await aCase(world);
  await setPolicy(world, own, policy);
  await changePayee(world, own, payee);
  await check({ ...world, ...aProvider(MATCH) }, own);
  expect((await readVerification(world, own)).status).toBe(status);
  expect((await readPayee(world, own)).whitelisted).toBe(status === "verified");
  const approved = (await trailOf(world, own)).filter(({ action }) => action === "verification.approved");
  expect(approved.map(({ userId }) => userId)).toEqual(status === "verified" ? [null] : []);
});

test.each([
  ["a change of bank details", { bankDetailsChangedAt: 0 }],
  ["a contact that was changed as well", { contactChangedAt: Number.MAX_SAFE_INTEGER }],
  ["an account under a name that is not the payee's", { name: "Harbour Ferries" }],
])("attack: %s is never approved by a bank that confirms the name on the account", async (_, payee) => {
  const world = aWorld();
  const own = await aCase(world);
  await setPolicy(world, own, { autoApproveExact: true });
  await changePayee(world, own, payee);
  await check({ ...world, ...aProvider(MATCH) }, own);
  expect(await readVerification(world, own)).toMatchObject({ status: "pending", outcome: "match" });
  expect((await readPayee(world, own)).whitelisted).toBe(false);
});

test("a name that the bank keeps to itself is never approved by rule", async () => {
  const world = aWorld();
  const own = await aCase(world);
  await setPolicy(world, own, { autoApproveExact: true });
  await check({ ...world, ...aProvider({ verdict: "match", name: null }) }, own);
  const kept = { status: "pending", outcome: "match", nameMatchScore: null, matchType: "exact" };
  expect(await readVerification(world, own)).toMatchObject(kept);
});

test.each([
  ["closed", { verdict: "account_closed", name: null } as const],
  ["exact", MATCH],
])(
  "a check by consent goes on beside an answer that is %s, which then decides nothing by itself",
  async (_, answer) => {
    const world = aWorld();
    const own = await aCase(world);
    await setPolicy(world, own, { autoApproveExact: true });
    await startBankDataCheck(world, own.actor, own);
    await check({ ...world, ...aProvider(answer) }, own);
    expect(await readVerification(world, own)).toMatchObject({ status: "pending" });
    expect((await readChecks(world, own)).map(({ finishedAt }) => finishedAt)).toEqual([null]);
  },
);

test("many at once ask the bank once; the others are told that it is being asked", async () => {
  const world = aWorld();
  const own = await aCase(world);
  const { asked, instantBankData } = aProvider(MATCH);
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) => check({ ...world, instantBankData }, own, `press-number-${index}`)),
  );
  expect(asked).toHaveLength(1);
  expect(answers.filter(({ state }) => state === "answered").length).toBeGreaterThanOrEqual(1);
  expect((await readVerification(world, own)).outcome).toBe("match");
});

test("the same submission is answered once, even after another answer", async () => {
  const world = aWorld();
  const own = await aCase(world);
  const { asked, instantBankData } = aProvider({ verdict: "unable", problem: "account_limit" }, MATCH);
  const by = { ...world, instantBankData };
  const first = await check(by, own, "the-same-submission");
  expect(await check(by, own, "the-same-submission")).toEqual(first);
  expect(asked).toHaveLength(1);
});

test.each(["before", "after"] as const)("a connection that is lost %s the write leaves one result", async (when) => {
  const world = aWorld();
  const own = await aCase(world);
  const { asked, instantBankData } = aProvider(MATCH);
  await check({ ...world, instantBankData, db: losingConnection(world.db, when) }, own);
  expect(asked).toHaveLength(1);
  const told = (await trailOf(world, own)).filter(({ action }) => action === "verification.checked_at_once");
  expect(told).toHaveLength(1);
});

test("a Worker that dies between the answer and the write leaves nothing, and the next press asks anew", async () => {
  const world = aWorld();
  const own = await aCase(world);
  const { asked, instantBankData } = aProvider(MATCH);
  const db = losingConnection(world.db, "before", 100);
  await expect(check({ ...world, instantBankData, db }, own)).rejects.toThrow();
  expect(await readVerification(world, own)).toMatchObject({ outcome: null, resultData: null });
  expect(await check({ ...world, instantBankData }, own)).toMatchObject({ outcome: "match" });
  expect(asked).toHaveLength(2);
});

test("attack: a decision, or a dispute, while the bank is asked wins; the answer approves nothing", async () => {
  const world = aWorld();
  const decided = await aCase(world);
  const rejecting = interrupted(world.db, () =>
    reviewVerification(world, decided.actor, { ...decided, review: REJECT }),
  );
  const error = await refusal(check({ ...world, ...aProvider(MATCH), db: rejecting }, decided));
  expect(error).toMatchObject({ status: 409, code: "ALREADY_DECIDED" });
  const disputed = await aCase(world);
  await setPolicy(world, disputed, { autoApproveExact: true });
  const disputing = interrupted(world.db, () => changeVerification(world, disputed, { disputedByPayeeAt: 1 }).run());
  expect(await refusal(check({ ...world, ...aProvider(MATCH), db: disputing }, disputed))).toMatchObject({
    code: "PAYEE_DISPUTED",
  });
  expect(await readVerification(world, disputed)).toMatchObject({ status: "pending", outcome: null });
});

test("thirty-six questions at the same moment get no more answers than the limit of unconfirmed names", async () => {
  const world = aWorld();
  const { actor } = await aCase(world);
  const { asked, instantBankData } = aProvider({ verdict: "no_match", name: null });
  const cases = await Promise.all(Array.from({ length: 36 }, () => aPendingVerification(world, actor)));
  const by = { ...world, instantBankData };
  const answers = await Promise.allSettled(cases.map((each) => check(by, { actor, ...each })));
  expect(asked).toHaveLength(10);
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
});

test("where as many are asked about as may stay unconfirmed, the next honest question waits for an answer", async () => {
  const world = aWorld();
  const { organizationId } = await aMember(world);
  const first = await countQuestions(world, organizationId, 10);
  const questions = Array.from({ length: 10 }, () => first.take());
  expect((await countOneQuestion(world, organizationId, { waitsMs: [] })).waitsForAnswers).toBe(true);
  const next = countOneQuestion(world, organizationId, { waitsMs: Array(1_000).fill(20) });
  for (const { takeBackUnconfirmed } of questions) takeBackUnconfirmed();
  await first.giveBack();
  expect((await next).waitsForAnswers).toBe(false);
});

/** Deletes every trace of the answer, as if the bank had never been asked. */
async function forget(world: World, own: Case) {
  await changeVerification(world, own, { resultData: null, outcome: null });
  await world.db.delete(accountQuestions).where(eq(accountQuestions.organizationId, own.organizationId));
}

test("names that are confirmed do not use up the limit of unconfirmed ones", async () => {
  const world = aWorld();
  const own = await aCase(world);
  for (let times = 0; times < 12; times++) {
    await forget(world, own);
    expect(await check({ ...world, ...aProvider(MATCH) }, own)).toMatchObject({ outcome: "match" });
  }
});

test("an organisation asks so often a day, and is stopped sooner where banks do not confirm the names", async () => {
  const world = aWorld();
  const own = await aCase(world);
  const { asked, instantBankData } = aProvider({ verdict: "no_match", name: null });
  const by = { ...world, instantBankData };
  let last: unknown;
  for (let times = 0; times < 11; times++) {
    await forget(world, own);
    last = await check(by, own).catch((error) => error);
  }
  expect(last).toMatchObject({ status: 429, code: "RATE_LIMITED" });
  expect(asked).toHaveLength(10);
  // The answer is reused only within this organisation, and for a day.
  const other = await aCase(world);
  expect(await check({ ...world, ...aProvider(MATCH) }, other)).toMatchObject({ outcome: "match" });
  world.clock.advance(DAY_MS);
  expect(await check({ ...world, ...aProvider(MATCH) }, own)).toMatchObject({ outcome: "match" });
});

test("no bank is asked after the trial, before an admin has confirmed their address, or for another organisation", async () => {
  const world = aWorld();
  const own = await aCase(world);
  const by = { ...world, ...aProvider(MATCH) };
  const foreign = await aMember(world);
  expect(await refusal(check(by, { ...own, actor: foreign }))).toMatchObject({ status: 404 });
  await changeVerification(world, own, { disputedByPayeeAt: 1 });
  expect(await refusal(check(by, own))).toMatchObject({ code: "PAYEE_DISPUTED" });
  await changeVerification(world, own, { disputedByPayeeAt: null });
  await aMember(world, { organization: { id: own.organizationId, name: "x" }, role: "admin" });
  await world.db.update(users).set({ emailVerifiedAt: null }).where(eq(users.organizationId, own.organizationId));
  expect(await refusal(check(by, own))).toMatchObject({ code: "EMAIL_NOT_CONFIRMED" });
  await world.db
    .update(organizations)
    .set({ trialEndsAt: world.clock.now() - HOUR_MS, subscriptionStatus: null })
    .where(eq(organizations.id, own.organizationId));
  expect(await refusal(check(by, own))).toMatchObject({ code: "SUBSCRIPTION_REQUIRED" });
});

test("a bank that confirms the name of another payee's former account: the alert says whose account it was first", async () => {
  const world = aWorld();
  const own = await aCase(world);
  const organization = { id: own.organizationId, name: own.actor.organizationName };
  await aMember(world, { organization });
  const formerHolders = [{ payeeId: "p", name: "Galah Glazing", until: "2026-11-01T00:00:00.000Z", isArchived: false }];
  await changeVerification(world, own, { evidence: { ...NO_EVIDENCE, formerHolders } });
  await check({ ...world, ...aProvider(MATCH) }, own);
  const [told] = await alertsAbout(world, own.organizationId, "result_arrived");
  expect(told?.title).toBe(`Another payee's former account: ${own.details.name}`);
  expect(told?.body).toMatch(/^The account was another payee's before\. .*The bank's answer: /);
});

test("colleagues are told of the result, the person who asked is not", async () => {
  const world = aWorld();
  const own = await aCase(world);
  const organization = { id: own.organizationId, name: own.actor.organizationName };
  const colleague = await aMember(world, { organization });
  await check({ ...world, ...aProvider(MATCH) }, own);
  const told = await alertsAbout(world, own.organizationId, "result_arrived");
  expect(told.map(({ userId }) => userId)).toEqual([colleague.userId]);
});
