import { bankQuestions, organizationPolicies, organizations, users, walkCursors } from "@db/database";
import { and, asc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "~/kernel/dates";
import { addPayee } from "~/modules/payees/add-payee.server";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { startVerification } from "~/modules/payees/open-verification.server";
import { reviewVerification } from "~/modules/verifying/review/review.server";
import type { InstantAnswer, InstantBankData } from "~/ports/instant-bank-data";
import type { Actor } from "~/services-and-actor";
import { anAskingWorld, readVerification } from "../../../../tests/support/bank-checks";
import { aMember } from "../../../../tests/support/factories";
import { losingConnection } from "../../../../tests/support/lost-connections";
import { alertsAbout, details, peek, refusal } from "../../../../tests/support/payees";
import type { World } from "../../../../tests/support/simulators";
import { askNow, askNowAbout, whyNotAsked } from "./ask-automatically.server";
import { askWaiting } from "./ask-waiting.server";
import { askConfirmationOfPayee } from "./instant-check.server";

const NO_MATCH: InstantAnswer = { verdict: "no_match", name: null };
const REJECT = { approved: false, reason: "Manual rejection" } as const;

const setPolicy = (
  { db, clock }: World,
  organizationId: string,
  policy: Partial<typeof organizationPolicies.$inferInsert>,
) =>
  db
    .insert(organizationPolicies)
    .values({ organizationId, updatedAt: clock.now(), ...policy })
    .onConflictDoUpdate({ target: organizationPolicies.organizationId, set: policy });

async function anAdded(world: World, actor: Actor) {
  const { payeeId, verificationId } = await addPayee(world, actor, { details: details() });
  return { actor, organizationId: actor.organizationId, payeeId, verificationId, details: details() };
}

/** The questions asked for one organisation, because other tests' questions are in the same database. */
const askedFor = ({ asked }: ReturnType<typeof anAskingWorld>, { organizationId }: Pick<Actor, "organizationId">) =>
  asked.filter(({ requesterId }) => requesterId === organizationId);

const questionsOf = (organizationId: string) =>
  peek
    .select()
    .from(bankQuestions)
    .where(eq(bankQuestions.organizationId, organizationId))
    .orderBy(asc(bankQuestions.createdAt));

test("a payee that is added is asked about at once, and its bank's answer stands in the verification", async () => {
  const world = anAskingWorld();
  const actor = await aMember(world);
  const own = await anAdded(world, actor);
  expect(await askNow(world, actor, own.verificationId)).toMatchObject({ outcome: "match" });
  expect(await readVerification(world, own)).toMatchObject({ outcome: "match", method: "basiq", status: "pending" });
  expect(askedFor(world, actor)).toMatchObject([{ requesterId: actor.organizationId }]);
  const [question] = await questionsOf(actor.organizationId);
  expect(question).toMatchObject({ cause: "payee_added", ended: "answered", settledAt: world.clock.now() });
});

test("what a request leaves behind is asked by the schedule, once", async () => {
  const world = anAskingWorld();
  const actor = await aMember(world);
  const own = await anAdded(world, actor);
  expect(await askWaiting(world)).toBeGreaterThanOrEqual(1);
  await askWaiting(world);
  expect(await askNow(world, actor, own.verificationId)).toBeUndefined();
  expect(askedFor(world, actor)).toHaveLength(1);
  expect((await readVerification(world, own)).outcome).toBe("match");
});

test("changed bank details are asked about again, a new spelling or another contact is not", async () => {
  const world = anAskingWorld();
  const actor = await aMember(world);
  const { payeeId, verificationId } = await anAdded(world, actor);
  await askNow(world, actor, verificationId);
  await editPayee(world, actor, { payeeId, patch: { phone: "+61293744000" } });
  expect(await askNowAbout(world, actor, payeeId)).toBeUndefined();
  await editPayee(world, actor, { payeeId, patch: { accountNumber: "98765432" } });
  expect(await askNowAbout(world, actor, payeeId)).toMatchObject({ outcome: "match" });
  expect(
    askedFor(world, actor)
      .map(({ accountNumber }) => accountNumber)
      .at(-1),
  ).toBe("98765432");
  const questions = await questionsOf(actor.organizationId);
  expect(questions.map(({ cause }) => cause)).toEqual(["payee_added", "details_changed"]);
});

test.each([
  ["the policy says never", { askBanks: "never" } as const, true],
  ["the operator asks only when pressed", { askBanks: "added_or_changed" } as const, false],
])("nothing is asked where %s", async (_, policy, asks) => {
  const world = anAskingWorld();
  world.config.asksBanksAutomatically = asks;
  const actor = await aMember(world);
  await setPolicy(world, actor.organizationId, policy);
  const own = await anAdded(world, actor);
  expect(await askNow(world, actor, own.verificationId)).toBeUndefined();
  await askWaiting(world);
  expect(askedFor(world, actor)).toEqual([]);
  expect(await questionsOf(actor.organizationId)).toEqual([]);
});

test("a verification that somebody asks for waits for their own press", async () => {
  const world = anAskingWorld();
  const actor = await aMember(world);
  const own = await anAdded(world, actor);
  await askNow(world, actor, own.verificationId);
  await reviewVerification(world, actor, { verificationId: own.verificationId, review: REJECT });
  await startVerification(world, actor, own.payeeId);
  expect(await askNowAbout(world, actor, own.payeeId)).toBeUndefined();
  expect(askedFor(world, actor)).toHaveLength(1);
});

test("double clicks, two tabs and the schedule at the same moment ask the bank once", async () => {
  const world = anAskingWorld();
  const actor = await aMember(world);
  const own = await anAdded(world, actor);
  await Promise.all([
    ...Array.from({ length: 5 }, () => askNow(world, actor, own.verificationId)),
    askConfirmationOfPayee(world, actor, own),
    askWaiting(world),
  ]);
  expect(askedFor(world, actor)).toHaveLength(1);
  expect((await readVerification(world, own)).outcome).toBe("match");
});

test("a Worker that dies after the bank was asked asks nobody again: the answer is said to be lost", async () => {
  const world = anAskingWorld();
  const actor = await aMember(world);
  const own = await anAdded(world, actor);
  const dying: InstantBankData = {
    party: "cop",
    service: "Zepto",
    lookUp(question) {
      world.asked.push(question);
      throw new Error("the Worker died");
    },
  };
  expect(await askNow({ ...world, instantBankData: dying }, actor, own.verificationId)).toBeUndefined();
  await askWaiting(world);
  expect(askedFor(world, actor)).toHaveLength(1);
  world.clock.advance(MINUTE_MS + 1);
  await askWaiting(world);
  expect(askedFor(world, actor)).toHaveLength(1);
  expect(await readVerification(world, own)).toMatchObject({ outcome: "unable", reasonCode: "answer_lost" });
  const [question] = await questionsOf(actor.organizationId);
  expect(question?.ended).toBe("answer_lost");
  // A person asks again.
  expect(await askConfirmationOfPayee(world, actor, own)).toMatchObject({ outcome: "match" });
});

test("a write that is lost after the answer leaves one result", async () => {
  const world = anAskingWorld();
  const actor = await aMember(world);
  const own = await anAdded(world, actor);
  await askNow({ ...world, db: losingConnection(world.db, "after", 2) }, actor, own.verificationId);
  await askWaiting(world);
  expect(askedFor(world, actor)).toHaveLength(1);
  expect((await readVerification(world, own)).outcome).toBe("match");
});

test("a budget of ten questions with forty payees: ten are asked, to the cent, and the others say why not", async () => {
  const world = anAskingWorld();
  world.config.instantCheckCostCents = 25;
  const actor = await aMember(world);
  await setPolicy(world, actor.organizationId, { bankBudgetCents: 250 });
  const added = [];
  for (let count = 0; count < 40; count++) added.push(await anAdded(world, actor));
  for (let run = 0; run < 5; run++) await askWaiting(world);
  expect(askedFor(world, actor)).toHaveLength(10);
  const last = added.at(-1);
  if (!last) throw new Error("nobody was added");
  expect(await whyNotAsked(world, actor.organizationId, last.verificationId)).toBe(
    "The bank was not asked: your organisation's budget of $2.50 for questions to banks this month is used up.",
  );
  expect(await readVerification(world, last)).toMatchObject({ status: "pending", outcome: null });
  expect(await refusal(askConfirmationOfPayee(world, actor, last))).toMatchObject({
    code: "BANK_BUDGET_USED_UP",
    status: 409,
  });
  // The next month has its own budget.
  world.clock.advance(32 * DAY_MS);
  await world.db
    .update(organizations)
    .set({ trialEndsAt: world.clock.now() + DAY_MS })
    .where(eq(organizations.id, actor.organizationId));
  await askWaiting(world);
  expect(askedFor(world, actor)).toHaveLength(20);
});

test("an answer that costs nothing takes nothing of the budget", async () => {
  const world = anAskingWorld({ verdict: "unable", problem: "bank_unable_now" });
  world.config.instantCheckCostCents = 100;
  const actor = await aMember(world);
  await setPolicy(world, actor.organizationId, { bankBudgetCents: 100 });
  const first = await anAdded(world, actor);
  const second = await anAdded(world, actor);
  await askWaiting(world);
  await askWaiting(world);
  expect(askedFor(world, actor)).toHaveLength(2);
  for (const own of [first, second]) {
    expect(await readVerification(world, own)).toMatchObject({ outcome: "unable", cost: 0 });
  }
});

test("before an administrator has confirmed their address, and after the trial, the page says why no bank was asked", async () => {
  const world = anAskingWorld();
  const actor = await aMember(world, { role: "admin" });
  const own = await anAdded(world, actor);
  const { organizationId, verificationId } = own;
  await world.db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, actor.userId));
  expect(await askNow(world, actor, verificationId)).toBeUndefined();
  expect(await whyNotAsked(world, organizationId, verificationId)).toMatch(/none of your administrators has confirmed/);
  await world.db.update(users).set({ emailVerifiedAt: 1 }).where(eq(users.id, actor.userId));
  const ended = { trialEndsAt: world.clock.now() - HOUR_MS, subscriptionStatus: null };
  await world.db.update(organizations).set(ended).where(eq(organizations.id, organizationId));
  expect(await whyNotAsked(world, organizationId, verificationId)).toMatch(/trial or subscription has ended/);
  await askWaiting(world);
  expect(askedFor(world, actor)).toEqual([]);
  await world.db
    .update(organizations)
    .set({ trialEndsAt: world.clock.now() + DAY_MS })
    .where(eq(organizations.id, organizationId));
  expect(await whyNotAsked(world, organizationId, verificationId)).toBe(
    "The bank has not been asked yet. We ask it for you; after a large import that can take a while.",
  );
  await askWaiting(world);
  expect(await whyNotAsked(world, organizationId, verificationId)).toBeNull();
});

test("a payee that is edited, or decided about, before its bank is asked: the former details are not asked about", async () => {
  const world = anAskingWorld();
  const actor = await aMember(world);
  const edited = await anAdded(world, actor);
  await editPayee(world, actor, { payeeId: edited.payeeId, patch: { accountNumber: "55566677" } });
  const decided = await anAdded(world, actor);
  await reviewVerification(world, actor, { verificationId: decided.verificationId, review: REJECT });
  await askWaiting(world);
  expect(askedFor(world, actor).map(({ accountNumber }) => accountNumber)).toEqual(["55566677"]);
  const overtaken = await peek
    .select()
    .from(bankQuestions)
    .where(and(eq(bankQuestions.organizationId, actor.organizationId), eq(bankQuestions.ended, "overtaken")));
  expect(overtaken).toHaveLength(2);
});

test("organisations whose questions wait for something else do not keep a later one's from being asked", async () => {
  const world = anAskingWorld();
  const four = [];
  for (let count = 0; count < 4; count++) four.push(await aMember(world, { role: "admin" }));
  const [first, second, third, last] = four.sort((a, b) => (a.organizationId < b.organizationId ? -1 : 1));
  if (!first || !second || !third || !last) throw new Error("somebody is missing");
  for (const actor of four) await anAdded(world, actor);
  for (const { userId } of [first, second, third])
    await world.db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, userId));
  // The walk starts right before the first organisation; each run has enough queries for one organisation.
  const place = { key: first.organizationId.slice(0, -1), startedAt: 0, finishedAt: null };
  await peek
    .insert(walkCursors)
    .values({ name: "banks_asked", ...place })
    .onConflictDoUpdate({ target: walkCursors.name, set: place });
  for (let run = 0; run < 4; run++) await askWaiting(world, 1);
  expect(askedFor(world, last)).toHaveLength(1);
  await peek.delete(walkCursors).where(eq(walkCursors.name, "banks_asked"));
});

test("one organisation with many questions does not keep another one's from being asked", async () => {
  const world = anAskingWorld();
  const busy = await aMember(world);
  const other = await aMember(world);
  for (let count = 0; count < 25; count++) await anAdded(world, busy);
  const own = await anAdded(world, other);
  await askWaiting(world);
  expect((await readVerification(world, own)).outcome).toBe("match");
  expect(askedFor(world, busy).length).toBeLessThan(25);
  // About twenty queries per question, out of the five hundred that this run and its other sweeps may make.
  expect(world.asked.length).toBeLessThanOrEqual(15);
});

test("colleagues are told of an answer that speaks against the details, and not of one that does not", async () => {
  const good = anAskingWorld();
  const actor = await aMember(good);
  await aMember(good, { organization: { id: actor.organizationId, name: actor.organizationName } });
  const own = await anAdded(good, actor);
  await askNow(good, actor, own.verificationId);
  expect(await alertsAbout(good, actor.organizationId, "result_arrived")).toEqual([]);
  const bad = Object.assign(anAskingWorld(NO_MATCH), {});
  const wrong = await anAdded(bad, actor);
  await askNow(bad, actor, wrong.verificationId);
  expect((await alertsAbout(bad, actor.organizationId, "result_arrived")).length).toBeGreaterThan(0);
});
