import { businessRegister, outbox } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { claimJob } from "~/modules/core/commands/outbox.server";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { readImportPage } from "~/modules/payees/imports/import-page.server";
import { writeResultFile } from "~/modules/payees/imports/row-notes.server";
import { readPayeePage } from "~/modules/payees/payee-page.server";
import { action as addAction } from "~/routes/_app+/payees.verify";
import { loader as verificationLoader } from "~/routes/_app+/verifications.$id";
import { anAbn } from "../../../tests/support/abns";
import { aMember } from "../../../tests/support/factories";
import { aFinishedImport, anUpload, aTable } from "../../../tests/support/imports";
import { anAddedPayee, peek } from "../../../tests/support/payees";
import { aPayment, aTrustedPayee, readPayment } from "../../../tests/support/payments";
import { routeArgs } from "../../../tests/support/requests";
import { aWorld, type World } from "../../../tests/support/simulators";
import { SIMULATORS_ORIGIN } from "../../../tests/support/test-env";
import { aPendingVerification } from "../../../tests/support/verifications";
import { lookUpAbn, lookUpRequested, requestOldAnswersAgain } from "./register.server";

const rowOf = async (abn: string) =>
  (await peek.select().from(businessRegister).where(eq(businessRegister.abn, abn)))[0];

/** A register entity with a unique ABN. */
async function anEntity(world: World, given: { entityName?: string; status?: "Active" | "Cancelled" } = {}) {
  const abn = anAbn();
  const json = JSON.stringify({ abn, entityName: "WATTLE CREEK ELECTRICAL PTY LTD", ...given });
  await world.ask(new Request(`${SIMULATORS_ORIGIN}/abr/entities`, { method: "POST", body: json }));
  return abn;
}

/** Runs all look-ups, including other tests' requests. */
async function deliverAll(world: World) {
  while (await deliver(world)) world.clock.advance(2_000);
}

/** Runs the job once, as the queue would. */
async function deliver(world: World) {
  const [waiting] = await peek
    .select({ id: outbox.id })
    .from(outbox)
    .where(and(eq(outbox.kind, "register_lookup"), eq(outbox.status, "pending")));
  const job = waiting && (await claimJob(world, waiting.id));
  if (job) await lookUpRequested(world, job);
  return job !== undefined;
}

test("a payee's ABN is looked up by the queue, once for all organisations, and is shown on the payee's page", async () => {
  const world = aWorld();
  const actor = await aMember(world);
  const abn = await anEntity(world);
  const { payeeId } = await anAddedPayee(world, actor, { abn });
  await anAddedPayee(world, await aMember(world), { abn });
  expect((await readPayeePage(world, actor, payeeId)).register).toMatchObject({ state: "not_asked" });
  await deliverAll(world);
  expect(await rowOf(abn)).toMatchObject({ wantedAt: null, entry: { isActive: true } });
  expect((await readPayeePage(world, actor, payeeId)).register).toMatchObject({
    state: "found",
    entityName: "WATTLE CREEK ELECTRICAL PTY LTD",
    concerns: [],
  });
});

test("the register's answer stands beside the rows of an import once it is there, and “not looked up yet” before", async () => {
  const world = aWorld();
  const actor = await aMember(world);
  const abn = await anEntity(world);
  const row = `Wattle Creek Electrical,Wattle Creek Electrical,062-000,53004081,${abn}`;
  const registersOf = async (importId: string) => {
    const page = await readImportPage(world, actor, importId, new URLSearchParams());
    return (page.preview ?? page.results)?.rows.map(({ register }) => register);
  };
  const importId = await aFinishedImport(world, actor, aTable(row, "No Abn,No Abn,062-000,53004082"));
  expect(await registersOf(importId)).toEqual(["Business register: not looked up yet.", null]);
  await deliverAll(world);
  const said = "Business register: WATTLE CREEK ELECTRICAL PTY LTD. The ABN is active.";
  expect(await registersOf(importId)).toEqual([said, null]);
  const { importId: next } = await anUpload(world, actor, aTable(row));
  expect(await registersOf(next)).toEqual([said]);
  const { lines } = await writeResultFile(world, actor, importId);
  let text = "";
  for await (const line of lines) text += line;
  expect(text).toContain(said);
});

test("a verification shows the register's answer, compared with the name that was submitted", async () => {
  const world = aWorld();
  const actor = await aMember(world);
  const abn = await anEntity(world);
  const payee = { abn, name: "Wattle Creek Electrical", accountName: "Wattle Creek Electrical" };
  const { verificationId } = await aPendingVerification(world, actor, { payee });
  const registerOf = async () => {
    const args = await routeArgs(world, actor, `/verifications/${verificationId}`, { id: verificationId });
    return (await verificationLoader(args)).view.register;
  };
  expect(await registerOf()).toMatchObject({ state: "not_asked" });
  await lookUpAbn(world, abn);
  expect(await registerOf()).toMatchObject({
    state: "found",
    concerns: [],
  });
});

test("a register that is down leaves the ABN wanted, and the next try finds it", async () => {
  const world = aWorld();
  const actor = await aMember(world);
  const abn = await anEntity(world, { entityName: "OLD MILL TRADING PTY LTD", status: "Cancelled" });
  const { payeeId } = await anAddedPayee(world, actor, { abn });
  await world.fault({ party: "abr", fault: "503", times: 1 });
  await expect(deliver(world)).rejects.toMatchObject({ kind: "unavailable" });
  expect(await rowOf(abn)).toMatchObject({ fetchedAt: null });
  expect((await readPayeePage(world, actor, payeeId)).register).toMatchObject({ state: "not_asked" });
  world.clock.advance(DAY_MS);
  await deliverAll(world);
  expect((await readPayeePage(world, actor, payeeId)).register).toMatchObject({
    state: "found",
    isActive: false,
    concerns: ["The ABN is cancelled.", "The register knows this ABN under a different name."],
  });
});

test("an answer is kept for a month; an old one is asked for again, and stands while the register is down", async () => {
  const world = aWorld();
  const abn = await anEntity(world);
  const first = await lookUpAbn(world, abn);
  expect(first).toMatchObject({ state: "answered", answer: { entry: { abn } } });
  await world.fault({ party: "abr", fault: "503", times: 9 });
  world.clock.advance(29 * DAY_MS);
  expect(await lookUpAbn(world, abn)).toEqual(first);
  world.clock.advance(2 * DAY_MS);
  expect(await lookUpAbn(world, abn)).toMatchObject({ state: "unreachable", before: { entry: { abn } } });
  await requestOldAnswersAgain(world);
  expect(await rowOf(abn)).toMatchObject({ wantedAt: world.clock.now() });
  await world.clearFaults();
  expect(await lookUpAbn(world, abn)).toMatchObject({ answer: { fetchedAt: world.clock.now() } });
});

test("an edit wants the new ABN", async () => {
  const world = aWorld();
  const actor = await aMember(world);
  const { payeeId } = await anAddedPayee(world, actor);
  const abn = anAbn();
  await editPayee(world, actor, { payeeId, patch: { abn } });
  expect(await rowOf(abn)).toMatchObject({ fetchedAt: null });
});

type Answer = {
  data: { values: Record<string, string>; extra: { register: Record<string, unknown> }; errors: object };
};

async function press(world: World, form: Record<string, string>) {
  const actor = await aMember(world);
  return (await addAction(await routeArgs(world, actor, "/payees/verify", {}, { form }))) as unknown as Answer;
}

test("the form offers whose ABN was typed, keeps what was typed, and takes the name when asked", async () => {
  const world = aWorld();
  const typed = { abn: await anEntity(world), name: "", accountName: "Wattle", bsb: "062-000" };
  const { data } = await press(world, { ...typed, intent: "look-up" });
  expect(data.extra.register).toMatchObject({ kind: "abn", name: "WATTLE CREEK ELECTRICAL PTY LTD", isGood: true });
  expect(data.values).toMatchObject(typed);
  const taken = await press(world, { ...typed, takeName: "WATTLE CREEK ELECTRICAL PTY LTD" });
  expect(taken.data.values.name).toBe("WATTLE CREEK ELECTRICAL PTY LTD");
});

test("a name offers ABNs, and one of them is taken into the form", async () => {
  const world = aWorld();
  const { data } = await press(world, { name: "wattle creek", abn: "", intent: "look-up" });
  expect(data.extra.register).toMatchObject({
    kind: "names",
    hits: [{ abn: "53004085616", shownAbn: "53 004 085 616" }],
  });
  const taken = await press(world, { name: "wattle creek", abn: "", takeAbn: "53004085616" });
  expect(taken.data.values.abn).toBe("53 004 085 616");
});

test("a register that is down is not “not found”", async () => {
  const world = aWorld();
  await world.fault({ party: "abr", fault: "503", times: 1 });
  const { data } = await press(world, { abn: anAbn(), name: "", intent: "look-up" });
  expect(data.extra.register).toMatchObject({ kind: "silent" });
  expect(JSON.stringify(data.extra.register)).toContain("does not answer at the moment");
});

test("a mistyped ABN is told beside its field", async () => {
  const { data } = await press(aWorld(), { abn: "51 824 753 557", name: "", intent: "look-up" });
  expect(data.errors).toHaveProperty("abn");
});

test("a payment to a payee whose ABN is cancelled is warned of, and one without an answer is not", async () => {
  const world = aWorld();
  const actor = await aMember(world);
  const abn = await anEntity(world, { status: "Cancelled" });
  const { payeeId } = await aTrustedPayee(world, actor, { abn });
  const before = await aPayment(world, actor, payeeId);
  expect((await readPayment(before.id)).reasons).toEqual([]);
  await deliverAll(world);
  const after = await aPayment(world, actor, payeeId, { reference: "ANOTHER-1" });
  expect((await readPayment(after.id)).reasons).toMatchObject([{ rule: "abn_inactive", level: "warn" }]);
});
