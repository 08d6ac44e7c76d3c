import { expect, test } from "vitest";
import { reviewVerification } from "~/modules/verifying/review/review.server";
import { aCase, readChecks, readVerification } from "../../../../tests/support/bank-checks";
import { interrupted, refusal } from "../../../../tests/support/payees";
import { aWorld } from "../../../../tests/support/simulators";
import { startBankDataCheck } from "./start-bank-check.server";

const reject = { approved: false, reason: "Manual rejection" } as const;

test("attack: a start that a rejection overtakes is told who decided, with 409", async () => {
  const world = aWorld();
  const person = await aCase(world);
  const db = interrupted(world.db, () => reviewVerification(world, person.actor, { ...person, review: reject }));
  const error = await refusal(startBankDataCheck({ ...world, db }, person.actor, person));
  expect(error).toMatchObject({ status: 409, code: "ALREADY_DECIDED" });
  expect(await readChecks(world, person)).toEqual([]);
});

test("attack: a start overtaken by a start and a rejection is told who decided, with 409", async () => {
  const world = aWorld();
  const person = await aCase(world);
  const db = interrupted(world.db, async () => {
    await startBankDataCheck(world, person.actor, person);
    await reviewVerification(world, person.actor, { ...person, review: reject });
  });
  const error = await refusal(startBankDataCheck({ ...world, db }, person.actor, person));
  expect(error).toMatchObject({ status: 409, code: "ALREADY_DECIDED" });
});

test("attack: starts and rejections at once, round after round, answer nothing but success and 409", async () => {
  const world = aWorld();
  for (let round = 0; round < 20; round++) {
    const person = await aCase(world);
    const answers = await Promise.allSettled([
      startBankDataCheck(world, person.actor, person),
      reviewVerification(world, person.actor, { ...person, review: reject }),
      startBankDataCheck(world, person.actor, person),
    ]);
    const statuses = answers.map((answer) => (answer.status === "fulfilled" ? 200 : answer.reason.status));
    expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
    expect((await readVerification(world, person)).status).toBe("rejected");
  }
});
