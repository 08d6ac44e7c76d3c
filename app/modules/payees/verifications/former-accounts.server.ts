import { payeeChanges, payees, verifications } from "@db/database";
import { sql } from "drizzle-orm";
import { inParts } from "~/kernel/all-in-order";
import { accountKey } from "~/kernel/bank-account";
import { spellingsOf } from "~/modules/core/payee-fingerprint";
import type { ReadServices } from "~/services-and-actor";

type Account = { bsb: string; accountNumber: string };

/** How many accounts one statement asks about: each has up to six spellings. */
const ACCOUNTS_PER_STATEMENT = 1_000;

type KnownPayee = Account & { payeeId: string; name: string; archivedAt: number | null };

/**
 * The organisation's payees that had these accounts until their bank details changed, or that are archived and have
 * them; the most recent holder comes first. Includes a payee that went back to its own former account
 * (`formerHoldersBesides`, `ownFormerUntil`); leaves out an active payee that has the account now for the first time.
 */
export async function findFormerHolders(
  services: ReadServices,
  organizationId: string,
  accounts: readonly Account[],
): Promise<(account: Account) => FormerHolder[]> {
  const found = new Map<string, FormerHolder[]>();
  const distinct = [...new Map(accounts.map((account) => [accountKey(account), account])).values()];
  const asked = new Set(distinct.map(accountKey));
  const numbers = distinct.map(({ accountNumber }) => spellingsOf(accountNumber));
  // Promise.all sends these as one database call. A payee found by several parts counts once.
  const parts = inParts(numbers, ACCOUNTS_PER_STATEMENT).map((part) => part.flat());
  const read = await Promise.all(parts.map((part) => listPayees(services, organizationId, part)));
  for (const [payee, changes] of new Map(read.flat().map((known) => [known[0].payeeId, known])).values()) {
    for (const [key, holder] of heldBy(payee, changes)) {
      if (asked.has(key)) found.set(key, [...(found.get(key) ?? []), holder]);
    }
  }
  return (account) => (found.get(accountKey(account)) ?? []).sort((a, b) => b.until - a.until);
}

/** Each account that a payee had and gave up, once, with the last time it did so. */
function heldBy(payee: KnownPayee, changes: readonly AccountChange[]): Map<string, FormerHolder> {
  const { payeeId, name, archivedAt } = payee;
  const held = new Map<string, FormerHolder>();
  if (archivedAt !== null) held.set(accountKey(payee), { payeeId, name, until: archivedAt, isArchived: true });
  for (const { changedAt, ...account } of formerAccounts(payee, changes)) {
    const key = accountKey(account);
    if (!held.has(key)) held.set(key, { payeeId, name, until: changedAt, isArchived: false });
  }
  return held;
}

/**
 * Payees that had one of these account numbers, or have it and had a different BSB or are archived: each with the
 * changes of its account, newest first.
 */
async function listPayees({ db }: ReadServices, organizationId: string, numbers: readonly string[]) {
  const asked = JSON.stringify([...new Set(numbers)]);
  const rows = await db.all<
    KnownPayee & { [Key in keyof AccountChange]: AccountChange[Key] | null }
  >(sql`SELECT "payee"."id" AS "payeeId", "payee"."name", "payee"."bsb", "payee"."accountNumber", "payee"."archivedAt",
      "change"."field", "change"."oldValue", "change"."createdAt"
    FROM (SELECT "former"."payeeId" FROM json_each(${asked}) AS "number" CROSS JOIN "payee_changes" AS "former"
        WHERE "former"."organizationId" = ${organizationId} AND "former"."field" = 'accountNumber'
          AND "former"."oldValue" = "number"."value"
      UNION SELECT "same"."payeeId" FROM json_each(${asked}) AS "number" CROSS JOIN "payee_terms" AS "same"
        WHERE "same"."organizationId" = ${organizationId} AND "same"."term" = "number"."value") AS "walk"
    CROSS JOIN "payees" AS "payee"
    LEFT JOIN "payee_changes" AS "change" ON "change"."organizationId" = ${organizationId}
      AND "change"."payeeId" = "payee"."id" AND "change"."field" IN ('bsb', 'accountNumber')
    WHERE "payee"."organizationId" = ${organizationId} AND "payee"."id" = "walk"."payeeId"
      AND ("payee"."bankDetailsChangedAt" IS NOT NULL OR "payee"."archivedAt" IS NOT NULL)
    ORDER BY "payee"."id", "change"."id" DESC`);
  const payees = new Map<string, [KnownPayee, AccountChange[]]>();
  for (const { field, oldValue, createdAt, ...payee } of rows) {
    const known = payees.get(payee.payeeId) ?? [payee, []];
    if (field !== null && createdAt !== null) known[1].push({ field, oldValue, createdAt });
    payees.set(payee.payeeId, known);
  }
  return [...payees.values()];
}

/** A changed field of a payee, as stored. */
export type AccountChange = { field: string; oldValue: string | null; createdAt: number };

/**
 * A payee's former accounts, most recent first, each with when it was given up.
 * @param changes of its BSB and account number, newest first; the fields of one edit are stored at the same instant
 */
export function formerAccounts(
  current: Account,
  changes: readonly AccountChange[],
): (Account & { changedAt: number })[] {
  const former: (Account & { changedAt: number })[] = [];
  for (const { field, oldValue, createdAt } of changes) {
    const later = former.at(-1);
    const account = later ?? current;
    const before = { bsb: account.bsb, accountNumber: account.accountNumber, changedAt: createdAt };
    if (field === "bsb" && oldValue !== null) before.bsb = oldValue;
    if (field === "accountNumber" && oldValue !== null) before.accountNumber = oldValue;
    if (later?.changedAt === createdAt) former.pop();
    former.push(before);
  }
  return former;
}

/** A payee that had an account, and until when. */
export type FormerHolder = {
  payeeId: string;
  name: string;
  /** When its bank details changed; for an archived payee that still has the account, when it was archived. */
  until: number;
  /** It is archived and still has the account. */
  isArchived: boolean;
};

/** Other payees that had this payee's account: evidence against it. `payeeId` null: the payee is being added. */
export const formerHoldersBesides = (holders: readonly FormerHolder[], payeeId: string | null): FormerHolder[] =>
  holders.filter((holder) => holder.payeeId !== payeeId);

/** When the payee itself gave up this account before going back to it; undefined: it never had it before. */
export const ownFormerUntil = (holders: readonly FormerHolder[], payeeId: string): number | undefined =>
  holders.find((holder) => holder.payeeId === payeeId && !holder.isArchived)?.until;

/**
 * More than a legitimate payee has between two verifications; the first ones show which domain a new one may imitate.
 */
const MAX_EMAILS = 20;

/**
 * The email addresses that payees had since they were last verified, oldest first and the present one last. An approval
 * accepts the address of its time, so earlier addresses no longer count against the payee.
 */
export async function listFormerEmails(
  { db }: ReadServices,
  organizationId: string,
  payeeIds: readonly string[],
): Promise<(payeeId: string) => string[]> {
  if (payeeIds.length === 0) return () => [];
  const rows = await db.all<{ id: string; former: string; email: string | null }>(
    sql`SELECT ${payees.id}, ${payees.email}, (SELECT json_group_array("oldValue") FROM (
          SELECT "oldValue" FROM ${payeeChanges} AS "changed" WHERE "changed"."organizationId" = ${organizationId}
            AND "changed"."payeeId" = ${payees.id} AND "changed"."field" = 'email' AND "changed"."oldValue" IS NOT NULL
            AND "changed"."createdAt" > coalesce((SELECT "completedAt" FROM ${verifications} AS "approved"
              WHERE "approved"."organizationId" = ${organizationId} AND "approved"."payeeId" = ${payees.id}
                AND +"approved"."status" = 'verified' ORDER BY "approved"."id" DESC LIMIT 1), 0)
          ORDER BY "changed"."id" LIMIT ${MAX_EMAILS}) AS "walk") AS "former"
        FROM json_each(${JSON.stringify(payeeIds)}) AS "asked" CROSS JOIN ${payees}
        WHERE ${payees.organizationId} = ${organizationId} AND ${payees.id} = "asked"."value"`,
  );
  const emailsOf = new Map(
    rows.map(({ id, former, email }) => [
      id,
      [...(JSON.parse(former) as string[]), ...(email === null ? [] : [email])],
    ]),
  );
  return (payeeId) => emailsOf.get(payeeId) ?? [];
}
