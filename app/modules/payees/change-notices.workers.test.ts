import { beforeEach, expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { aMember } from "../../../tests/support/factories";
import { anAddedPayee } from "../../../tests/support/payees";
import { aWorld, type World } from "../../../tests/support/simulators";
import { editPayee } from "./edit-payee.server";

const REAL = { email: "", phone: "+61412345678" };
const CRIMINAL = { email: "", phone: "+61491570156" };

/** New addresses for each test, so that limits on messages to an address do not carry over. */
beforeEach(() => {
  const tag = crypto.randomUUID().slice(0, 12);
  REAL.email = `accounts@wattlecreek-${tag}.example`;
  CRIMINAL.email = `accounts@wattle-creek-${tag}.example`;
});

/** The recipients of emails whose subject contains this. */
async function told(world: World, what: "bank details" | "contact details") {
  await world.drain();
  const mails = await world.mails();
  return mails.flatMap(({ to, subject }) => (subject.includes(what) ? [to] : [])).sort();
}

test("contact changed first, bank details second: the real payee is told both times, by email and by text", async () => {
  const world = aWorld();
  const actor = await aMember(world);
  const { payeeId } = await anAddedPayee(world, actor, REAL);

  await editPayee(world, actor, { payeeId, patch: CRIMINAL });
  expect(await told(world, "contact details")).toEqual([REAL.email]);
  expect((await world.texts()).map(({ to }) => to)).toEqual([REAL.phone]);

  world.clock.advance(29 * DAY_MS);
  await editPayee(world, actor, { payeeId, patch: { accountNumber: "98765432" } });
  expect(await told(world, "bank details")).toEqual([CRIMINAL.email, REAL.email].sort());
  const sent = (await world.texts()).filter(({ body }) => body.includes("bank details"));
  expect(sent.map(({ to }) => to).sort()).toEqual([REAL.phone, CRIMINAL.phone].sort());
  expect(sent[0]?.body).toContain("account ending 432");
  expect(JSON.stringify([sent, await world.mails()])).not.toContain("98765432");
});

test("who stopped being a contact longer ago is not told", async () => {
  const world = aWorld();
  const actor = await aMember(world);
  const { payeeId } = await anAddedPayee(world, actor, REAL);
  await editPayee(world, actor, { payeeId, patch: { email: "new@wattlecreek.example" } });
  world.clock.advance(31 * DAY_MS);
  await editPayee(world, actor, { payeeId, patch: { bsb: "033001" } });
  expect(await told(world, "bank details")).toEqual(["new@wattlecreek.example"]);
});

test("contact and bank details changed in one edit: the old contact is told of the bank details, the new one of nothing", async () => {
  const world = aWorld();
  const actor = await aMember(world);
  const { payeeId } = await anAddedPayee(world, actor, REAL);
  await editPayee(world, actor, { payeeId, patch: { ...CRIMINAL, accountNumber: "98765432" } });
  expect(await told(world, "bank details")).toEqual([REAL.email]);
  expect(await told(world, "contact details")).toEqual([]);
});

test("a first contact, or another address, is told to nobody", async () => {
  const world = aWorld();
  const actor = await aMember(world);
  const { payeeId } = await anAddedPayee(world, actor, { email: null, phone: null });
  await editPayee(world, actor, { payeeId, patch: { email: REAL.email, address: "1 Creek Rd" } });
  await world.drain();
  expect(await world.mails()).toEqual([]);
});
