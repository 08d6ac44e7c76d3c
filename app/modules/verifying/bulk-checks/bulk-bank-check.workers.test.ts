import {
  accountQuestions,
  bulkBankQuestions,
  bulkChecks,
  organizationPolicies,
  outbox,
  verifications,
} from "@db/database";
import { and, eq, isNull } from "drizzle-orm";
import { expect, test } from "vitest";
import { MINUTE_MS } from "~/kernel/dates";
import { LEASE_MS } from "~/modules/core/commands/job";
import { sweepDueJobs } from "~/modules/core/commands/outbox.server";
import { askWaiting } from "~/modules/verifying/bank-checks/ask-waiting.server";
import type { InstantAnswer, InstantBankData, InstantQuestion } from "~/ports/instant-bank-data";
import type { Actor, Services } from "~/services-and-actor";
import { aMember } from "../../../../tests/support/factories";
import { dyingConnection } from "../../../../tests/support/lost-connections";
import { anAddedPayee, peek, refusal } from "../../../../tests/support/payees";
import { aTrustedPayee } from "../../../../tests/support/payments";
import { aWorld, type World } from "../../../../tests/support/simulators";
import type { BulkChoice } from "./bulk-check";
import { readBulkCheckPage } from "./bulk-check-page.server";
import { countPayeesToCheck, startBulkCheck, stopBulkCheck } from "./control-bulk-check.server";

/**
 * A bulk check by Confirmation of Payee, over the real queue. Nothing is asked automatically here: a person pressed
 * Start.
 */

const CHOICE: BulkChoice = { ask: "bank", filter: "all", verified: "any", paid: "any" };
const MATCH: InstantAnswer = { verdict: "match", name: "WATTLE CREEK ELECTRICAL PTY LTD" };

function aBankWorld(answer: (question: InstantQuestion) => InstantAnswer = () => MATCH) {
  const world = aWorld();
  const asked: InstantQuestion[] = [];
  const instantBankData: InstantBankData = {
    party: "cop",
    service: "Zepto",
    async lookUp(question) {
      asked.push(question);
      return answer(question);
    },
  };
  return Object.assign(world, { instantBankData, asked });
}

const accountsAsked = ({ asked }: { asked: InstantQuestion[] }, { organizationId }: Actor) =>
  asked.filter(({ requesterId }) => requesterId === organizationId).map(({ accountNumber }) => accountNumber);

async function counted(world: World, actor: Actor, choice: Partial<BulkChoice> = {}) {
  const { bulkCheckId } = await countPayeesToCheck(world, actor, { ...CHOICE, ...choice });
  await world.drain();
  return bulkCheckId;
}

const readIt = async (id: string) => (await peek.select().from(bulkChecks).where(eq(bulkChecks.id, id)))[0];

/** Runs the queue until the check has ended. */
async function untilOver(world: World, id: string, services?: Services) {
  for (let turn = 0; turn < 30 && (await readIt(id))?.status === "running"; turn++) {
    world.clock.advance(5_000);
    await sweepDueJobs(world);
    await world.drain(services);
  }
}

test("banks are counted with their cost first, asked at once, and each payee says what its bank said", async () => {
  const world = aBankWorld(({ accountName }) =>
    accountName === "Closed Pty Ltd" ? { verdict: "account_closed", name: null } : MATCH,
  );
  world.config.instantCheckCostCents = 25;
  const actor = await aMember(world);
  const fresh = await anAddedPayee(world, actor);
  const trusted = await aTrustedPayee(world, actor);
  const closed = await aTrustedPayee(world, actor, { name: "Closed", accountName: "Closed Pty Ltd" });
  const id = await counted(world, actor);
  const ready = await readBulkCheckPage(world, actor, id, undefined);
  expect(ready.check).toMatchObject({ status: "ready", payeeCount: 3, mayStart: true });
  expect(ready.check.sentences.join(" ")).toContain("At most $0.75: $0.25 for each answer");
  expect(accountsAsked(world, actor)).toEqual([]);
  await startBulkCheck(world, actor, id);
  await world.drain();
  await untilOver(world, id);
  expect(await readIt(id)).toMatchObject({ status: "finished", askedCount: 3 });
  expect(accountsAsked(world, actor).sort()).toEqual(
    [fresh, trusted, closed].map(({ details }) => details.accountNumber).sort(),
  );
  const { banks } = await readBulkCheckPage(world, actor, id, undefined);
  expect(banks?.map(({ word, isAgainst }) => [word, isAgainst]).sort()).toEqual([
    ["Account closed", true],
    ["The names match", false],
    ["The names match", false],
  ]);
  const waiting = await peek
    .select()
    .from(verifications)
    .where(and(eq(verifications.organizationId, actor.organizationId), eq(verifications.status, "pending")));
  expect(waiting.map(({ outcome }) => outcome).sort()).toEqual(["account_closed", "match"]);
  // A second check on the same day asks nothing, because the banks' answers are still valid.
  const again = await counted(world, actor);
  await startBulkCheck(world, actor, again);
  await world.drain();
  await untilOver(world, again);
  expect(accountsAsked(world, actor)).toHaveLength(3);
});

test("a check that is stopped, or whose budget is used up, says of each payee why nobody was asked", async () => {
  const world = aBankWorld();
  world.config.instantCheckCostCents = 25;
  const actor = await aMember(world);
  const { organizationId } = actor;
  await peek.insert(organizationPolicies).values({ organizationId, bankBudgetCents: 75, updatedAt: 1 });
  for (let count = 0; count < 6; count++) await aTrustedPayee(world, actor);
  const id = await counted(world, actor);
  await startBulkCheck(world, actor, id);
  await world.drain();
  await untilOver(world, id);
  expect(accountsAsked(world, actor)).toHaveLength(3);
  const page = await readBulkCheckPage(world, actor, id, undefined);
  expect(page.check.problem).toContain("budget of $0.75");
  expect(page.banks?.filter(({ word }) => word.includes("budget of $0.75"))).toHaveLength(3);
  const other = await aMember(world);
  await aTrustedPayee(world, other);
  const stopped = await counted(world, other);
  await startBulkCheck(world, other, stopped);
  // The queue has collected the payees but has not asked yet.
  const jobs = await peek
    .select({ id: outbox.id })
    .from(outbox)
    .where(
      and(eq(outbox.organizationId, other.organizationId), eq(outbox.kind, "bulk_check"), isNull(outbox.finishedAt)),
    );
  for (const { id: jobId } of jobs) await world.deliver("jobs", { jobId, v: 1 });
  await stopBulkCheck(world, other, stopped);
  await world.drain();
  expect(accountsAsked(world, other)).toEqual([]);
  const { banks } = await readBulkCheckPage(world, other, stopped, undefined);
  expect(banks?.map(({ word }) => word)).toEqual(["Not asked: the check was stopped"]);
});

test("without a service that asks banks no such check is counted", async () => {
  const world = aBankWorld();
  const actor = await aMember(world);
  const none = { ...world, instantBankData: undefined };
  expect(await refusal(countPayeesToCheck(none, actor, CHOICE))).toMatchObject({
    code: "INSTANT_CHECK_NOT_CONFIGURED",
  });
});

/** Where the process is killed: at which batch, and whether that batch was written. */
const DEATHS = [
  ["before the payees are taken up", { when: "before", batch: 1 }],
  ["after they were taken up", { when: "after", batch: 1 }],
  ["before the first question is marked", { when: "before", batch: 2 }],
  ["after it was marked, before the bank is asked", { when: "after", batch: 2 }],
  ["after the bank answered, before that is written", { when: "before", batch: 3 }],
  ["after an answer was written", { when: "after", batch: 4 }],
] as const;

test.each(DEATHS)(
  "killed %s: each bank is asked exactly once or its answer is said to be lost, and nobody is left out",
  async (_, death) => {
    const world = aBankWorld();
    const actor = await aMember(world);
    const all = [];
    for (let count = 0; count < 5; count++) all.push((await aTrustedPayee(world, actor)).details.accountNumber);
    const id = await counted(world, actor);
    await startBulkCheck(world, actor, id);
    const dying = { ...world, db: dyingConnection(world.db, death) };
    await world.drain(dying).catch(() => {});
    world.clock.advance(LEASE_MS + MINUTE_MS);
    await sweepDueJobs(world);
    await world.drain();
    await untilOver(world, id);
    await askWaiting(world, 100_000);
    expect(await readIt(id)).toMatchObject({ status: "finished", askedCount: 5 });
    const taken = await peek.select().from(bulkBankQuestions).where(eq(bulkBankQuestions.bulkCheckId, id));
    expect(new Set(taken.map(({ payeeId }) => payeeId)).size).toBe(5);
    const asked = accountsAsked(world, actor);
    expect(new Set(asked).size).toBe(asked.length);
    const rows = await peek
      .select()
      .from(accountQuestions)
      .where(eq(accountQuestions.organizationId, actor.organizationId));
    expect(rows.map(({ accountNumber }) => accountNumber).sort()).toEqual(all.sort());
    for (const { accountNumber, ended } of rows) {
      expect(["answered", "answer_lost"]).toContain(ended);
      if (ended === "answered") expect(asked).toContain(accountNumber);
    }
  },
);
