import { payees, payeeTerms, paymentRecords, verifications } from "@db/schema";
import { sql } from "drizzle-orm";
import { DAY_MS } from "~/kernel/dates";
import { approvedAt, type BankDetails } from "~/kernel/payee";
import { findDirectoryEntries } from "~/modules/directories/directory.server";
import { findAnswers } from "~/modules/directories/register.server";
import { findLookalikesOfMany } from "~/modules/payees/verifications/evidence.server";
import type { Services } from "~/services";
import type { HealthFacts } from "./findings";

/** A payee of a slice with everything that is looked at. */
export type PayeeFacts = { payeeId: string; facts: HealthFacts; paidCents: number };

type Reading = Pick<Services, "db" | "clock">;

const YEAR_MS = 365 * DAY_MS;
/** Of one ABN more payees than these say nothing more. */
const MAX_SAME_ABN = 5;

type Row = {
  id: string;
  name: string;
  accountName: string;
  bsb: string;
  accountNumber: string;
  abn: string | null;
  email: string | null;
  phone: string | null;
  address: string | null;
  whitelisted: number;
  whitelistedAt: number | null;
  isStaffAccount: number;
  paidCents: number;
  renamedAt: number | null;
  verified: string | null;
  sameAbn: string;
};

/** The next payees after `cursor`, in the order of their ids, with everything known of them: a handful of statements. */
export async function gatherHealthFacts(
  services: Reading,
  {
    organizationId,
    cursor,
    limit,
    reverifyAfterMonths,
  }: { organizationId: string; cursor: string; limit: number; reverifyAfterMonths: number },
): Promise<PayeeFacts[]> {
  const now = services.clock.now();
  const rows = await readPayees(services, { organizationId, cursor, limit, now });
  const subjects = rows.map(({ id, ...details }) => ({ payeeId: id, details }));
  const [entryOf, answers, lookalikesOf] = await Promise.all([
    findDirectoryEntries(
      services,
      rows.map(({ bsb }) => bsb),
    ),
    findAnswers(
      services,
      rows.map(({ abn }) => abn),
    ),
    findLookalikesOfMany(services, organizationId, subjects),
  ]);
  return rows.map((row, at) => {
    const { id, whitelisted, isStaffAccount, paidCents, renamedAt, verified, sameAbn, ...payee } = row;
    const last = verified === null ? null : (JSON.parse(verified) as BankDetails & { completedAt: number | null });
    const facts: HealthFacts = {
      payee: { ...payee, whitelisted: whitelisted === 1 },
      verifiedAt: approvedAt({ ...payee, renamedAt }, last),
      directory: entryOf(row.bsb),
      register: row.abn === null ? undefined : answers.get(row.abn),
      lookalikes: lookalikesOf(at),
      sameAbn: JSON.parse(sameAbn) as string[],
      isStaffAccount: isStaffAccount === 1,
      now,
      reverifyAfterMonths,
    };
    return { payeeId: id, facts, paidCents };
  });
}

/** Archived payees are out of use: nothing is said of them. */
const readPayees = (
  { db }: Reading,
  { organizationId, cursor, limit, now }: { organizationId: string; cursor: string; limit: number; now: number },
): Promise<Row[]> =>
  db.all<Row>(sql`SELECT "payee"."id", "payee"."name", "payee"."accountName", "payee"."bsb", "payee"."accountNumber",
      "payee"."abn", "payee"."email", "payee"."phone", "payee"."address", "payee"."whitelisted", "payee"."whitelistedAt", "payee"."renamedAt",
      EXISTS (SELECT 1 FROM "staff_accounts" WHERE "organizationId" = ${organizationId}
        AND "accountFingerprint" = "payee"."accountFingerprint") AS "isStaffAccount",
      (SELECT coalesce(sum("amount"), 0) FROM ${paymentRecords} WHERE "organizationId" = ${organizationId}
        AND "payeeId" = "payee"."id" AND "status" = 'successful' AND "processedAt" > ${now - YEAR_MS}) AS "paidCents",
      (SELECT json_object('accountName', "accountName", 'bsb', "bsb", 'accountNumber', "accountNumber", 'completedAt', "completedAt")
        FROM ${verifications} WHERE "organizationId" = ${organizationId} AND "payeeId" = "payee"."id"
          AND "status" = 'verified' ORDER BY "id" DESC LIMIT 1) AS "verified",
      (SELECT json_group_array("name") FROM (SELECT "other"."name" FROM ${payeeTerms} AS "same"
        CROSS JOIN ${payees} AS "other"
        WHERE "same"."organizationId" = ${organizationId} AND "same"."term" = "payee"."abn"
          AND "other"."organizationId" = ${organizationId} AND "other"."id" = "same"."payeeId"
          AND "other"."id" <> "payee"."id" AND "other"."abn" = "payee"."abn" LIMIT ${MAX_SAME_ABN}) AS walk) AS "sameAbn"
    FROM ${payees} AS "payee"
    WHERE "payee"."organizationId" = ${organizationId} AND "payee"."id" > ${cursor} AND "payee"."archivedAt" IS NULL
    ORDER BY "payee"."id" LIMIT ${limit}`);
