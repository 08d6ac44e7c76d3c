import { auditLogs, staffAccounts } from "@db/schema";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { aMember } from "../../../tests/support/factories";
import { anAddedPayee, peek, refusal } from "../../../tests/support/payees";
import { anUploadedFile, linesOf } from "../../../tests/support/payment-files";
import { testServices } from "../../../tests/support/services";
import { findStaffList, listStaffPayees, loadStaffAccounts, removeStaffAccounts } from "./staff-accounts.server";

async function anOffice() {
  const services = testServices();
  const actor = await aMember(services, { role: "admin" });
  return { services, actor };
}

const load = ({ services, actor }: Awaited<ReturnType<typeof anOffice>>, text: string) =>
  loadStaffAccounts(services, actor, { bytes: new TextEncoder().encode(text) });

test("only fingerprints of a payroll list are kept, each once, and a new list replaces the old", async () => {
  const office = await anOffice();
  const { services, actor } = office;
  const count = await load(
    office,
    "Employee,BSB,Account number\nJo,062-000,51000001\nJo again,62000,051000001\nLee,,\n",
  );
  expect(count).toBe(1);
  const rows = await peek.select().from(staffAccounts).where(eq(staffAccounts.organizationId, actor.organizationId));
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toMatch(/51000001|062000|Jo/);
  expect(await load(office, "BSB,Account number\n062-000,51000002\n062-000,51000003")).toBe(2);
  expect(await findStaffList(services, actor)).toEqual({ accounts: 2, loadedAt: services.clock.now() });
  const [entry] = await peek
    .select()
    .from(auditLogs)
    .where(
      and(
        eq(auditLogs.organizationId, actor.organizationId),
        eq(auditLogs.action, "organization.staff_accounts_loaded"),
      ),
    );
  expect(entry?.details).toEqual({ accounts: 1 });
  await removeStaffAccounts(services, actor);
  expect(await findStaffList(services, actor)).toBeNull();
});

test("a payment to a staff account is held, and the payee that has it is listed", async () => {
  const office = await anOffice();
  const { services, actor } = office;
  const { payeeId, details } = await anAddedPayee(services, actor, { name: "Odd Jobs" });
  await anAddedPayee(services, actor);
  await load(office, `BSB,Account number\n${details.bsb},${details.accountNumber}`);
  expect(await listStaffPayees(services, actor)).toMatchObject([{ id: payeeId, name: "Odd Jobs" }]);
  const { fileId } = await anUploadedFile(services, actor, [details]);
  const [line] = await linesOf(fileId);
  expect(line).toMatchObject({ status: "held" });
  expect(line?.reasons.map(({ rule }) => rule)).toContain("staff_account");
  expect(await listStaffPayees(services, await aMember(services))).toEqual([]);
});

test.each([
  ["a damaged number", "BSB,Account number\n062-000,1.2E+07", "Line 2"],
  ["a short BSB", "BSB,Account number\n0620,12345678", "Line 2"],
  ["no column of numbers", "Name,Town\nJo,Perth", "not recognised"],
  ["no account", "BSB,Account number\n,\nx,", "Line 3"],
])("%s refuses the list, and the old one stays", async (_, text, sentence) => {
  const office = await anOffice();
  await load(office, "BSB,Account number\n062-000,51000004");
  const error = await refusal(load(office, text));
  expect(error).toMatchObject({ code: "INVALID_FILE", status: 400 });
  expect(error.message).toContain(sentence);
  expect((await findStaffList(office.services, office.actor))?.accounts).toBe(1);
});
