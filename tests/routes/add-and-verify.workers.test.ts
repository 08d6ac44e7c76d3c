import { users, verifications } from "@db/database";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { action as add, loader as form } from "~/routes/_app+/payees.verify";
import type { Actor } from "~/services-and-actor";
import { aMember } from "../support/factories";
import { details, peek } from "../support/payees";
import { routeArgs } from "../support/requests";
import { aWorld, type World } from "../support/simulators";

const PATH = "/payees/verify";

async function submit(world: World, actor: Actor, fields: Record<string, string>) {
  const typed = Object.fromEntries(
    Object.entries({ ...details({ accountNumber: "12345678" }), ...fields }).filter(([, value]) => value !== null),
  ) as Record<string, string>;
  const body = { submissionId: world.ids.next(), ...typed };
  const answer = (await add(await routeArgs(world, actor, PATH, {}, { form: body }))) as Response;
  const id = answer.headers.get("Location")?.split("/").at(-1) ?? "";
  const [row] = await peek.select().from(verifications).where(eq(verifications.id, id));
  return { status: answer.status, row };
}

const formOf = async (world: World, actor: Actor) => form(await routeArgs(world, actor, PATH, {}));

test("add and verify adds the payee and has its bank asked at once", async () => {
  const world = aWorld();
  const actor = await aMember(world, { role: "admin" });
  expect(await formOf(world, actor)).toMatchObject({ asks: "bank", missing: null });
  const { status, row } = await submit(world, actor, {});
  expect([status, row?.outcome]).toEqual([303, "match"]);
});

test("added without a check nobody is asked", async () => {
  const world = aWorld();
  const { row } = await submit(world, await aMember(world, { role: "admin" }), { check: "none" });
  expect([row?.status, row?.outcome]).toEqual(["pending", null]);
});

test("where no bank answers at once the payee gets a link, and a payee without a contact is added all the same", async () => {
  const world: World = { ...aWorld(), instantBankData: undefined };
  const actor = await aMember(world, { role: "admin" });
  expect(await formOf(world, actor)).toMatchObject({ asks: "payee" });
  expect((await submit(world, actor, {})).row?.method).toBe("basiq");
  const alone = await submit(world, actor, { email: "", phone: "", accountNumber: "23456789" });
  expect([alone.status, alone.row?.method]).toEqual([303, "manual"]);
});

test("before an administrator has confirmed their address the form says so, and the payee is added without a check", async () => {
  const world = aWorld();
  const actor = await aMember(world, { role: "admin" });
  await peek.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, actor.userId));
  const shown = await formOf(world, actor);
  expect(shown.asks).toBeNull();
  expect(shown.missing?.title).toBe("Confirm your email first");
  const { status, row } = await submit(world, actor, {});
  expect([status, row?.outcome]).toEqual([303, null]);
});
