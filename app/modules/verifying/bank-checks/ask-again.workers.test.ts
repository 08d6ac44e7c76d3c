import {
  accountQuestions,
  auditLogs,
  organizationPolicies,
  organizations,
  payees,
  payeeTerms,
  rateCounters,
  verifications,
  walkCursors,
} from "@db/database";
import { and, eq, like, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { addMonths, DAY_MS } from "~/kernel/dates";
import { wantAnswers } from "~/modules/payees/verifications/account-questions.server";
import type { Actor } from "~/services-and-actor";
import { anAskingWorld } from "../../../../tests/support/bank-checks";
import { aMember } from "../../../../tests/support/factories";
import { alertsAbout, anAddedPayee, details, peek, readPayee } from "../../../../tests/support/payees";
import type { World } from "../../../../tests/support/simulators";
import { askAgain } from "./ask-again.server";
import { askWaiting } from "./ask-waiting.server";

const askedFor = ({ asked }: ReturnType<typeof anAskingWorld>, { organizationId }: Actor) =>
  asked.filter(({ requesterId }) => requesterId === organizationId);

/** A payee that a bank confirmed long ago, that is trusted and was paid last month. */
async function aTrustedPayee(world: World, actor: Actor, given: { confirmedAt?: number; paidAt?: number | null } = {}) {
  const { payeeId, verificationId } = await anAddedPayee(
    { ...world, config: { ...world.config, asksBanksAutomatically: false } },
    actor,
  );
  const now = world.clock.now();
  const { confirmedAt = addMonths(now, -13), paidAt = addMonths(now, -1) } = given;
  const decided = {
    status: "verified",
    outcome: "match",
    approved: true,
    completedAt: confirmedAt,
    createdAt: confirmedAt,
  } as const;
  await peek.update(verifications).set(decided).where(eq(verifications.id, verificationId));
  const trusted = { whitelisted: true, whitelistedAt: confirmedAt, lastPaymentDate: paidAt, paymentCount: 1 };
  await peek.update(payees).set(trusted).where(eq(payees.id, payeeId));
  return payeeId;
}

const DIGITS = "0123456789abcdef";
/** 0 to 27: the payee's day of the month, from the last two digits of its id. */
const dayOf = (payeeId: string) =>
  ((DIGITS.indexOf(payeeId.at(-1) ?? "") + 1) * 16 + DIGITS.indexOf(payeeId.at(-2) ?? "") + 1) % 28;

/** Moves the clock to the payee's next day. */
function waitForItsDay(world: ReturnType<typeof anAskingWorld>, payeeId: string) {
  do world.clock.advance(DAY_MS);
  while (Math.floor(world.clock.now() / DAY_MS) % 28 !== dayOf(payeeId));
}

/** Runs the schedule on the payee's next day. */
async function onItsDay(world: ReturnType<typeof anAskingWorld>, actor: Actor, payeeId: string) {
  waitForItsDay(world, payeeId);
  await runSchedule(world, actor);
}

/** Enough queries for every organisation that the walk visits. */
const ENOUGH = 100_000;

/** Places the walk right before the organisation, because the organisations of other tests come first. */
async function standBefore({ clock }: World, { organizationId }: Actor) {
  const place = { key: organizationId.slice(0, -1), startedAt: clock.now(), finishedAt: null };
  await peek
    .insert(walkCursors)
    .values({ name: "banks_asked_again", ...place })
    .onConflictDoUpdate({ target: walkCursors.name, set: place });
}

async function runSchedule(world: ReturnType<typeof anAskingWorld>, actor: Actor) {
  await standBefore(world, actor);
  await askAgain(world, ENOUGH);
  await askTheQueued(world);
}

/** The schedule of every minute asks an organisation ten questions at most. */
async function askTheQueued(world: World) {
  for (let run = 0; run < 5; run++) await askWaiting(world, ENOUGH);
}

/** Gives a payee the same day as another one, by the last two digits of its id. */
async function onTheDayOf(first: string, payeeId: string) {
  await peek.delete(payeeTerms).where(eq(payeeTerms.payeeId, payeeId));
  await peek.delete(verifications).where(eq(verifications.payeeId, payeeId));
  await peek
    .update(payees)
    .set({ id: `${payeeId.slice(0, -2)}${first.slice(-2)}` })
    .where(eq(payees.id, payeeId));
}

/** Extends the trial beyond the dates of the test. */
async function aLiveMember(world: World) {
  const actor = await aMember(world);
  const trialEndsAt = world.clock.now() + 500 * DAY_MS;
  await peek.update(organizations).set({ trialEndsAt }).where(eq(organizations.id, actor.organizationId));
  return actor;
}

test("a trusted payee that is paid is asked about once in the month after its year, and stays as it is where the bank agrees", async () => {
  const world = anAskingWorld();
  const actor = await aLiveMember(world);
  const payeeId = await aTrustedPayee(world, actor);
  const before = await readPayee(payeeId);
  await onItsDay(world, actor, payeeId);
  expect(askedFor(world, actor)).toHaveLength(1);
  expect(await readPayee(payeeId)).toEqual(before);
  const [kept] = await peek
    .select()
    .from(accountQuestions)
    .where(eq(accountQuestions.organizationId, actor.organizationId));
  expect(kept?.outcome).toBe("match");
  world.clock.advance(DAY_MS);
  await runSchedule(world, actor);
  await onItsDay(world, actor, payeeId);
  expect(askedFor(world, actor)).toHaveLength(1);
});

test("thirteen months later it is asked about again", async () => {
  const world = anAskingWorld();
  const actor = await aLiveMember(world);
  const payeeId = await aTrustedPayee(world, actor);
  await onItsDay(world, actor, payeeId);
  world.clock.advance(365 * DAY_MS);
  const stillPaid = { lastPaymentDate: world.clock.now() };
  await peek.update(payees).set(stillPaid).where(eq(payees.id, payeeId));
  await onItsDay(world, actor, payeeId);
  expect(askedFor(world, actor)).toHaveLength(2);
});

test.each([
  ["confirmed within the year", { confirmedAt: Date.now() }],
  ["not paid for a year", { paidAt: addMonths(Date.now(), -14) }],
  ["never paid", { paidAt: null }],
])("a payee that was %s is left alone", async (_, given) => {
  const world = anAskingWorld();
  const actor = await aLiveMember(world);
  await onItsDay(world, actor, await aTrustedPayee(world, actor, given));
  expect(askedFor(world, actor)).toEqual([]);
});

test.each([
  ["no match", { verdict: "no_match", name: null }, "no_match"],
  ["a close match", { verdict: "close_match", name: "WATTLE CREEK ELECTRICS" }, "close_match"],
  ["a closed account", { verdict: "account_closed", name: null }, "account_closed"],
] as const)(
  "an answer that differs (%s) opens a verification and alerts, and takes no trust away",
  async (_, answer, outcome) => {
    const world = anAskingWorld(answer);
    const actor = await aLiveMember(world);
    await aMember(world, { organization: { id: actor.organizationId, name: actor.organizationName } });
    const payeeId = await aTrustedPayee(world, actor);
    await onItsDay(world, actor, payeeId);
    expect(askedFor(world, actor)).toHaveLength(1);
    const rows = await peek.select().from(verifications).where(eq(verifications.payeeId, payeeId));
    expect(rows.find(({ status }) => status === "pending")).toMatchObject({ outcome, requestedById: null });
    expect((await readPayee(payeeId)).whitelisted).toBe(true);
    expect((await alertsAbout(world, actor.organizationId, "result_arrived")).length).toBeGreaterThan(0);
  },
);

test("a bank that could not answer opens nothing, and the payee's next day comes", async () => {
  const world = anAskingWorld({ verdict: "unable", problem: "bank_unable_now" });
  const actor = await aLiveMember(world);
  const payeeId = await aTrustedPayee(world, actor);
  await onItsDay(world, actor, payeeId);
  await onItsDay(world, actor, payeeId);
  expect(askedFor(world, actor)).toHaveLength(2);
  const rows = await peek.select().from(verifications).where(eq(verifications.payeeId, payeeId));
  expect(rows).toHaveLength(1);
});

test("the budget holds: forty payees on one day and a budget of ten questions", async () => {
  const world = anAskingWorld();
  world.config.instantCheckCostCents = 30;
  const actor = await aLiveMember(world);
  const { organizationId } = actor;
  await peek.insert(organizationPolicies).values({ organizationId, bankBudgetCents: 300, updatedAt: 1 });
  const first = await aTrustedPayee(world, actor);
  for (let count = 1; count < 40; count++) {
    await onTheDayOf(first, await aTrustedPayee(world, actor));
  }
  waitForItsDay(world, first);
  // Away from the end of a month, because the next one has a budget of its own.
  while (new Date(world.clock.now()).getUTCDate() > 25) world.clock.advance(28 * DAY_MS);
  await runSchedule(world, actor);
  expect(askedFor(world, actor)).toHaveLength(10);
  // The others say a day later that nobody was asked, and why; they are not called confirmed.
  world.clock.advance(DAY_MS + 1);
  await askTheQueued(world);
  const rows = await peek.select().from(accountQuestions).where(eq(accountQuestions.organizationId, organizationId));
  const notAsked = rows.filter(({ ended, problem }) => ended === "not_asked" && problem === "budget");
  expect([notAsked.length, rows.filter(({ answeredAt }) => answeredAt !== null).length]).toEqual([30, 10]);
});

test("what somebody waits for is asked before what is only asked again", async () => {
  const world = anAskingWorld();
  const actor = await aLiveMember(world);
  const first = await aTrustedPayee(world, actor);
  for (let count = 1; count < 12; count++) await onTheDayOf(first, await aTrustedPayee(world, actor));
  waitForItsDay(world, first);
  await standBefore(world, actor);
  await askAgain(world, ENOUGH);
  world.clock.advance(1);
  const account = { ...details(), cause: "payment_run" as const };
  await Promise.all(wantAnswers(world, actor.organizationId, [account]));
  await askWaiting(world, ENOUGH);
  expect(askedFor(world, actor).length).toBeLessThan(12);
  expect(askedFor(world, actor).map(({ accountNumber }) => accountNumber)).toContain(account.accountNumber);
  await askTheQueued(world);
  expect(askedFor(world, actor)).toHaveLength(13);
});

test("a payee that is paid while its yearly question waits is asked about before the others, once", async () => {
  const world = anAskingWorld();
  const actor = await aLiveMember(world);
  const first = await aTrustedPayee(world, actor);
  for (let count = 1; count < 11; count++) await onTheDayOf(first, await aTrustedPayee(world, actor));
  const last = await aTrustedPayee(world, actor);
  const { bsb, accountNumber, accountName } = await readPayee(last);
  await onTheDayOf(first, last);
  waitForItsDay(world, first);
  await standBefore(world, actor);
  await askAgain(world, ENOUGH);
  // It would come last of the twelve.
  const { organizationId } = actor;
  const which = and(
    eq(accountQuestions.organizationId, organizationId),
    eq(accountQuestions.accountNumber, accountNumber),
  );
  const wantedAt = world.clock.now() + 1;
  expect(await peek.update(accountQuestions).set({ wantedAt }).where(which).returning()).toHaveLength(1);
  world.clock.advance(2);
  const account = { bsb, accountNumber, accountName, cause: "payment_run" as const };
  await Promise.all(wantAnswers(world, organizationId, [account]));
  await askWaiting(world, ENOUGH);
  const numbers = () => askedFor(world, actor).map((asked) => asked.accountNumber);
  expect(numbers()).toHaveLength(10);
  expect(numbers()).toContain(accountNumber);
  await askTheQueued(world);
  expect(numbers().filter((number) => number === accountNumber)).toHaveLength(1);
  expect(numbers()).toHaveLength(12);
});

test("two runs at the same moment ask about a payee once, and take the budget of one question", async () => {
  const world = anAskingWorld();
  world.config.instantCheckCostCents = 30;
  const actor = await aLiveMember(world);
  const { organizationId } = actor;
  await peek.insert(organizationPolicies).values({ organizationId, bankBudgetCents: 90, updatedAt: 1 });
  const payeeId = await aTrustedPayee(world, actor);
  waitForItsDay(world, payeeId);
  await standBefore(world, actor);
  await Promise.all([1, 2, 3].map(() => askAgain(world, ENOUGH)));
  await Promise.all([1, 2, 3].map(() => askWaiting(world, ENOUGH)));
  expect(askedFor(world, actor)).toHaveLength(1);
  const [budget] = await peek
    .select({ count: rateCounters.count })
    .from(rateCounters)
    .where(like(rateCounters.key, `bank-budget:${organizationId}:%`));
  expect(budget?.count).toBe(30);
});

test("what one run has no queries for, the next one queues", async () => {
  const world = anAskingWorld();
  const [one, other] = [await aLiveMember(world), await aLiveMember(world)];
  const first = await aTrustedPayee(world, one);
  await onTheDayOf(first, await aTrustedPayee(world, other));
  waitForItsDay(world, first);
  await standBefore(world, one);
  await askAgain(world, 1);
  await askTheQueued(world);
  expect([askedFor(world, one).length, askedFor(world, other).length]).toEqual([1, 0]);
  await askAgain(world, ENOUGH);
  await askTheQueued(world);
  expect([askedFor(world, one).length, askedFor(world, other).length]).toEqual([1, 1]);
});

test("a payee that is edited while its bank answers is not called confirmed", async () => {
  const world = anAskingWorld();
  const actor = await aLiveMember(world);
  const payeeId = await aTrustedPayee(world, actor);
  const { lookUp } = world.instantBankData;
  world.instantBankData.lookUp = async (question) => {
    if (question.requesterId === actor.organizationId) {
      const edited = { accountNumber: "55566677", version: sql`${payees.version} + 1` };
      await peek.update(payees).set(edited).where(eq(payees.id, payeeId));
    }
    return lookUp(question);
  };
  await onItsDay(world, actor, payeeId);
  expect(askedFor(world, actor)).toHaveLength(1);
  const [kept] = await peek
    .select()
    .from(accountQuestions)
    .where(eq(accountQuestions.organizationId, actor.organizationId));
  // The answer is about the account before the edit.
  expect(kept?.accountNumber).not.toBe((await readPayee(payeeId)).accountNumber);
  const trail = await peek.select().from(auditLogs).where(eq(auditLogs.entityId, payeeId));
  expect(trail.filter(({ action }) => action === "payee.confirmed_again")).toEqual([]);
});
