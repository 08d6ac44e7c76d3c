import { expect, test } from "vitest";
import { HOUR_MS } from "~/kernel/dates";
import { aStartedCheck, readChecks } from "../../../tests/support/bank-checks";
import { aWorld } from "../../../tests/support/simulators";
import { deleteOrphans } from "./provider-data.commands.server";

test("a user whose making was never answered is deleted by the schedule, although no event came", async () => {
  const world = aWorld();
  const person = await aStartedCheck(world);
  const [check] = await readChecks(world, person);
  const orphan = await world.bankData.createUser({ email: "payee@example.com" }, "answer lost");
  expect(await deleteOrphans(world)).toBe(0);
  world.clock.advance(HOUR_MS);
  expect(await deleteOrphans(world)).toBe(1);
  await expect(world.bankData.getProgress(orphan.providerUserId)).rejects.toMatchObject({ kind: "rejected" });
  await expect(world.bankData.getProgress(check?.providerUserId ?? "")).resolves.toEqual({ state: "waiting" });
  expect(await deleteOrphans(world)).toBe(0);
});
