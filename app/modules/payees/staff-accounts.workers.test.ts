import { auditLogs, staffAccounts } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { aMember } from "../../../tests/support/factories";
import { anAddedPayee, peek, refusal } from "../../../tests/support/payees";
import { anUploadedFile, linesOf } from "../../../tests/support/payment-files";
import { testServices } from "../../../tests/support/services";
import { aWorkbook, text } from "../../../tests/support/workbook";
import { findStaffList, listStaffPayees, loadStaffAccounts, removeStaffAccounts } from "./staff-accounts.server";

async function anOffice() {
  const services = testServices();
  const actor = await aMember(services, { role: "admin" });
  return { services, actor };
}

const rowOf = (line: number, bsb: string, account: string, hidden = "") =>
  `<row r="${line}" ${hidden}>${text(`A${line}`, bsb)}${text(`B${line}`, account)}</row>`;

test("rows of a workbook that a filter hides are asked about, and count or not as the person says", async () => {
  const { services, actor } = await anOffice();
  const rows = [
    rowOf(1, "BSB", "Account number"),
    rowOf(2, "062-000", "51000021"),
    rowOf(3, "062-000", "51000022", 'hidden="1"'),
  ];
  const bytes = aWorkbook({ sheets: { Staff: rows.join("") } });
  const error = await refusal(loadStaffAccounts(services, actor, { bytes }));
  expect(error).toMatchObject({
    code: "INVALID_INPUT",
    fieldErrors: { hiddenRows: [expect.stringContaining("line 3 is hidden")] },
  });
  expect(await findStaffList(services, actor)).toBeNull();
  expect(await loadStaffAccounts(services, actor, { bytes, hiddenRows: "leave_out" })).toBe(1);
  expect(await loadStaffAccounts(services, actor, { bytes, hiddenRows: "import" })).toBe(2);
});

test("a workbook of before 2007 is refused in a sentence", async () => {
  const office = await anOffice();
  const bytes = new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0, 0, 0, 0]);
  const error = await refusal(loadStaffAccounts(office.services, office.actor, { bytes }));
  expect([error.code, error.message]).toEqual(["INVALID_FILE", expect.stringContaining(".xls")]);
});

const load = ({ services, actor }: Awaited<ReturnType<typeof anOffice>>, table: string) =>
  loadStaffAccounts(services, actor, { bytes: new TextEncoder().encode(table) });

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
  ["no column of numbers", "Name,Town\nJo,Perth", "do not recognise the column"],
  ["no account", "BSB,Account number\n,\nx,", "Line 3"],
])("%s refuses the list, and the old one stays", async (_, table, sentence) => {
  const office = await anOffice();
  await load(office, "BSB,Account number\n062-000,51000004");
  const error = await refusal(load(office, table));
  expect(error).toMatchObject({ code: "INVALID_FILE", status: 400 });
  expect(error.message).toContain(sentence);
  expect((await findStaffList(office.services, office.actor))?.accounts).toBe(1);
});
