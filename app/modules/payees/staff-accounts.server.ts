import { insertRows, payees, staffAccounts } from "@db/database";
import { count, eq, max, sql } from "drizzle-orm";
import { maskAccountNumber, parseAccountNumber, parseBsb } from "~/kernel/bank-account";
import { showTime } from "~/kernel/dates";
import { collectProblems, type FileProblem } from "~/kernel/file-problem";
import { FILE_LIMITS } from "~/kernel/limits";
import type { Account } from "~/kernel/payee";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { fingerprintPayee } from "~/modules/core/payee-keys";
import { unreadableTable } from "~/modules/payees/imports/import.server";
import { type HiddenRows, hiddenRowsFound, readTableFile } from "~/modules/payees/imports/read-table-file.server";
import { readAccount } from "~/modules/payees/imports/table/account";
import type { TableRow } from "~/modules/payees/imports/table/read-table";
import type { Actor, Asking, ReadServices, Services, WriteServices } from "~/services-and-actor";

/** More matches than a person looks through at once. */
const MAX_MATCHES = 100;

/** Reads the page of staff accounts. For administrators only. */
export async function readStaffAccountsPage(services: Services, actor: Actor) {
  const [list, matches] = await Promise.all([findStaffList(services, actor), listStaffPayees(services, actor)]);
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  return {
    list: list && { accounts: list.accounts, loadedAt: showTime(list.loadedAt, zone) },
    matches: matches.map(({ accountNumber, ...payee }) => ({
      ...payee,
      accountNumber: maskAccountNumber(accountNumber),
    })),
  };
}

/** How many accounts are on the list, and when it was loaded; null without a list. */
export async function findStaffList({ db }: ReadServices, { organizationId }: Asking) {
  const [row] = await db
    .select({ accounts: count(), loadedAt: max(staffAccounts.createdAt) })
    .from(staffAccounts)
    .where(eq(staffAccounts.organizationId, organizationId));
  return row?.loadedAt ? { accounts: row.accounts, loadedAt: row.loadedAt } : null;
}

/** Payees whose account is on the staff list, by name. For administrators only. */
export async function listStaffPayees({ db }: ReadServices, { organizationId }: Asking) {
  return db.all<{ id: string; name: string; bsb: string; accountNumber: string }>(
    sql`SELECT "payee"."id", "payee"."name", "payee"."bsb", "payee"."accountNumber"
      FROM ${staffAccounts} CROSS JOIN ${payees} AS "payee"
      WHERE ${staffAccounts.organizationId} = ${organizationId} AND "payee"."organizationId" = ${organizationId}
        AND "payee"."accountFingerprint" = ${staffAccounts.accountFingerprint}
      ORDER BY "payee"."name" LIMIT ${MAX_MATCHES}`,
  );
}

/**
 * Replaces the list of accounts that the organisation pays staff to. Only keyed fingerprints are stored, from which
 * nobody can read an account.
 *
 * @returns how many accounts are on the list now
 * @throws AppError 400 INVALID_FILE with every problem and its line, or beside `hiddenRows` which rows of a workbook
 * are hidden
 */
export async function loadStaffAccounts(
  services: WriteServices,
  actor: Actor,
  { bytes, hiddenRows }: { bytes: Uint8Array<ArrayBuffer>; hiddenRows?: HiddenRows },
): Promise<number> {
  const reading = readStaff(bytes, hiddenRows);
  if (!reading.ok) throw unreadableTable(reading.problems);
  const digests = new Set(await Promise.all(reading.accounts.map((account) => digestOf(services, account))));
  await replace(services, actor, [...digests]);
  return digests.size;
}

/** Deletes the whole list: accounts are no longer compared with staff accounts. */
export const removeStaffAccounts = (services: WriteServices, actor: Actor) => replace(services, actor, []);

async function replace(services: WriteServices, actor: Actor, digests: readonly string[]): Promise<void> {
  const { organizationId } = actor;
  const createdAt = services.clock.now();
  const rows = digests.map((accountFingerprint) => ({ organizationId, accountFingerprint, createdAt }));
  await runCommand(services, actor, {
    statements: [
      services.db.delete(staffAccounts).where(eq(staffAccounts.organizationId, organizationId)),
      ...insertRows(services.db, staffAccounts, rows),
    ],
    audit: [
      {
        action: digests.length > 0 ? "organization.staff_accounts_loaded" : "organization.staff_accounts_removed",
        entityId: organizationId,
        details: { accounts: digests.length },
      },
    ],
  });
}

/** The fingerprint that payees also have; it does not include the name. */
const digestOf = async (services: WriteServices, account: Account): Promise<string> =>
  (await fingerprintPayee(services, { ...account, accountName: "" })).accountFingerprint;

/** Reads the accounts in a staff list. Pure. */

const MAX_STAFF = 5_000;
export const MAX_FILE_BYTES = FILE_LIMITS.staffAccounts.bytes;
const LIMITS = { maxRows: MAX_STAFF, maxColumns: 100, maxCell: 1_000, maxRow: 20_000 };

/**
 * Reads the accounts of a payroll export and ignores everything else in it. An unreadable row refuses the whole list,
 * because people would believe that its account is checked. Rows without an account are skipped.
 * @throws AppError beside `hiddenRows`, when rows are hidden and nobody has chosen what to do with them
 */
export function readStaff(
  bytes: Uint8Array<ArrayBuffer>,
  hiddenRows?: HiddenRows,
): { ok: true; accounts: Account[] } | { ok: false; problems: FileProblem[] } {
  const all: TableRow[] = [];
  const reading = readTableFile(bytes, LIMITS, (row) => all.push(row));
  if (!reading.ok) return reading;
  const hidden = all.filter((row) => row.isHidden);
  if (hidden.length > 0 && !hiddenRows) throw hiddenRowsFound(hidden.map(({ line }) => line));
  const rows = hiddenRows === "import" ? all : all.filter((row) => !row.isHidden);
  const problems = collectProblems();
  const { head, zeroColumns } = reading;
  if (!head.guess.accountNumber) {
    problems.error(
      null,
      "We do not recognise the column of account numbers. Name it “Account number”, and the BSB column “BSB”.",
    );
    return { ok: false, problems: problems.list() };
  }
  const accounts = rows.flatMap((row): Account[] => {
    const account = readAccount(row, { mapping: head.guess, zeroColumns });
    if (!account) return [];
    if ("problem" in account) {
      problems.error(row.line, account.problem);
      return [];
    }
    const bsb = parseBsb(account.bsb);
    const accountNumber = parseAccountNumber(account.accountNumber);
    if (bsb && accountNumber) return [{ bsb, accountNumber }];
    problems.error(row.line, "a BSB has 6 digits and an account number 4 to 9.");
    return [];
  });
  if (!problems.hasErrors() && accounts.length === 0) problems.error(null, "There is no account in the file.");
  return problems.hasErrors() ? { ok: false, problems: problems.list() } : { ok: true, accounts };
}
