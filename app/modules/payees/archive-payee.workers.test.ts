import { auditLogs, verifications } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { loader as exportLoader } from "~/routes/_app+/payees.export";
import type { Actor } from "~/services-and-actor";
import { aMember } from "../../../tests/support/factories";
import { aFinishedImport, aTable, outcomesOf } from "../../../tests/support/imports";
import { anAddedPayee, peek, readPayee, refusal } from "../../../tests/support/payees";
import { aPayment, aTrustedPayee } from "../../../tests/support/payments";
import { routeArgs } from "../../../tests/support/requests";
import { type TestServices, testServices } from "../../../tests/support/services";
import { addPayee } from "./add-payee.server";
import { archivePayee, restorePayee } from "./archive-payee.server";
import type { PayeeFilter } from "./payee-list";
import { countPayees, listPayees } from "./payee-list.server";
import { countsOfFilters } from "./payee-list-page.server";

async function anOffice() {
  const services = testServices();
  const actor = await aMember(services);
  return { services, actor };
}

const listed = async (services: TestServices, actor: Actor, filter: PayeeFilter) =>
  (await listPayees(services, actor, { filter })).payees.map(({ id }) => id);

test("an archived payee leaves the lists, its whitelist and its pending verification, and is found among the archived", async () => {
  const { services, actor } = await anOffice();
  const { payeeId, verificationId } = await anAddedPayee(services, actor);
  const { payeeId: other } = await anAddedPayee(services, actor);
  await archivePayee(services, actor, payeeId);
  expect(await listed(services, actor, "all")).toEqual([other]);
  expect(await listed(services, actor, "not_whitelisted")).toEqual([other]);
  expect(await listed(services, actor, "pending")).toEqual([other]);
  expect(await listed(services, actor, "archived")).toEqual([payeeId]);
  expect(countsOfFilters(await countPayees(services, actor))).toMatchObject({
    all: 1,
    not_whitelisted: 1,
    archived: 1,
  });
  const [verification] = await peek.select().from(verifications).where(eq(verifications.id, verificationId));
  expect(verification).toMatchObject({ status: "failed", reasonCode: "payee_archived" });
  const entries = await peek
    .select()
    .from(auditLogs)
    .where(and(eq(auditLogs.entityId, payeeId), eq(auditLogs.action, "payee.archived")));
  expect(entries).toHaveLength(1);
});

test("a restored payee is back in the lists and is not trusted by itself", async () => {
  const { services, actor } = await anOffice();
  const { payeeId } = await aTrustedPayee(services, actor);
  await archivePayee(services, actor, payeeId);
  await archivePayee(services, actor, payeeId);
  expect(await readPayee(payeeId)).toMatchObject({ whitelisted: false, archivedAt: services.clock.now() });
  await restorePayee(services, actor, payeeId);
  expect(await readPayee(payeeId)).toMatchObject({ whitelisted: false, archivedAt: null });
  expect(await listed(services, actor, "all")).toEqual([payeeId]);
  expect(countsOfFilters(await countPayees(services, actor))).toMatchObject({ all: 1, archived: 0 });
});

test("a payee with an unfinished payment is not archived", async () => {
  const { services, actor } = await anOffice();
  const { payeeId } = await aTrustedPayee(services, actor);
  await aPayment(services, actor, payeeId);
  expect(await refusal(archivePayee(services, actor, payeeId))).toMatchObject({ code: "PAYEE_IN_USE", status: 409 });
  expect((await readPayee(payeeId)).archivedAt).toBeNull();
});

test("an archived payee of another organisation is not there", async () => {
  const { services, actor } = await anOffice();
  const { payeeId } = await anAddedPayee(services, await aMember(services));
  expect(await refusal(archivePayee(services, actor, payeeId))).toMatchObject({ status: 404 });
  expect(await refusal(restorePayee(services, actor, payeeId))).toMatchObject({ status: 404 });
});

test("its account is still found, and says that the payee is archived: on the form and in a file", async () => {
  const { services, actor } = await anOffice();
  const { payeeId, details } = await anAddedPayee(services, actor);
  await archivePayee(services, actor, payeeId);
  const error = await refusal(addPayee(services, actor, { details }));
  expect(error.message).toContain("It is archived; restore it instead.");
  const { name, accountName, bsb, accountNumber } = details;
  const importId = await aFinishedImport(services, actor, aTable(`${name},${accountName},${bsb},${accountNumber}`));
  expect((await outcomesOf(importId))[0]).toEqual([2, "unchanged", "This payee is archived."]);
});

test("the file of a list holds what the list shows, masked", async () => {
  const { services, actor } = await anOffice();
  const { details } = await anAddedPayee(services, actor, { name: "Kestrel, Freight" });
  await anAddedPayee(services, actor, { name: "Wattle" });
  const text = async (query: string) =>
    ((await exportLoader(await routeArgs(services, actor, `/payees/export${query}`))) as Response).text();
  const lines = (await text("?q=kestrel")).split("\r\n").filter(Boolean);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(`"Kestrel, Freight"`);
  expect(lines[1]).toContain("062-000");
  expect(lines[1]).not.toContain(details.accountNumber);
  expect(lines[1]).toMatch(/,Medium,Never verified. Added after the last health report.$/);
  expect((await text("")).split("\r\n").filter(Boolean)).toHaveLength(3);
});
