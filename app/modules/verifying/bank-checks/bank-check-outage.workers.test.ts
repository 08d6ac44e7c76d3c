import { expect, test } from "vitest";
import { DEFAULT_TIME_ZONE, HOUR_MS, MINUTE_MS } from "~/kernel/dates";
import { wordsOfVerification } from "~/modules/payees/verifications/standing";
import { getVerification } from "~/modules/payees/verifications/verification.server";
import { aCase, aPayeeAtTheBank, type Case, readChecks, readVerification } from "../../../../tests/support/bank-checks";
import { aWorld, type World } from "../../../../tests/support/simulators";
import { recordBankReturn } from "./bank-consent.server";
import { startBankDataCheck } from "./start-bank-check.server";

const SILENT = "The bank data provider does not answer; we keep trying.";

/** The largest number of faults that the simulators accept. */
const MANY = 1000;

async function aReturnedPayee(world: World, persona: string) {
  const person = await aPayeeAtTheBank(world);
  await world.completeAtBank(person.verificationId, persona);
  return person;
}

test.each(["500", "503", "429", "401"])("a provider that answers %s for a day ends no check", async (fault) => {
  const world = aWorld();
  world.lose.webhooks = true;
  const running = await aReturnedPayee(world, "never");
  await recordBankReturn(world, running);
  await world.pass(10 * MINUTE_MS);
  const answered = await aReturnedPayee(world, "match");

  await world.fault({ party: "basiq", fault, times: MANY });
  await recordBankReturn(world, answered);
  const started = await aCase(world);
  await startBankDataCheck(world, started.actor, started);
  await world.pass(24 * HOUR_MS);
  for (const of of [answered, running, started]) {
    expect((await readChecks(world, of))[0]).toMatchObject({ finishedAt: null });
    expect(await factOf(world, of)).toContain(SILENT);
  }

  await world.clearFaults();
  await world.pass(HOUR_MS);
  expect((await readVerification(world, answered)).outcome).toBe("match");
  expect((await readChecks(world, started))[0]).toMatchObject({ step: "awaiting_payee", silentSince: null });
  expect(await factOf(world, started)).not.toContain(SILENT);
});

test("the time of a bank that has not finished goes on after the outage where it stood", async () => {
  const world = aWorld();
  world.lose.webhooks = true;
  const running = await aReturnedPayee(world, "never");
  await recordBankReturn(world, running);
  await world.pass(10 * MINUTE_MS);
  await world.fault({ party: "basiq", fault: "503", times: MANY });
  await world.pass(24 * HOUR_MS);
  await world.clearFaults();

  let minutes = 0;
  while ((await readChecks(world, running))[0]?.silentSince !== null && minutes++ < 61) await world.pass(MINUTE_MS);
  await world.pass(10 * MINUTE_MS);
  expect(await readVerification(world, running)).toMatchObject({ status: "pending", outcome: null });
  await world.pass(15 * MINUTE_MS);
  expect(await readVerification(world, running)).toMatchObject({ outcome: "unable", reasonCode: "provider_timeout" });
});

async function factOf(world: World, of: Case): Promise<string> {
  const subject = await getVerification(world, of, of.verificationId);
  const zone = { timeZone: DEFAULT_TIME_ZONE, now: world.clock.now() };
  return wordsOfVerification(subject, [], zone).answer.fact;
}
