import { sql } from "drizzle-orm";
import { accountKey } from "~/kernel/account-number";
import { spellingsOf } from "~/modules/account-fingerprints/payee-fingerprint";
import type { FurtherFacts } from "~/modules/payment-rules/facts";
import type { ReadServices } from "~/services";
import { type AccountChange, formerAccounts } from "./former-accounts";
import { inParts } from "./in-parts";

type Account = { bsb: string; accountNumber: string };
type FormerHolder = FurtherFacts["formerHolder"];

/** Accounts asked for in one statement: each may be written in six ways. */
const ACCOUNTS_PER_STATEMENT = 1_000;

type ChangedPayee = Account & { payeeId: string; name: string };

/**
 * The payees of which these accounts were before their bank details changed, by `accountKey`. Found by the account
 * number: one that was given up, or one that stayed while the BSB changed.
 */
export async function findFormerHolders(
  services: ReadServices,
  organizationId: string,
  accounts: readonly Account[],
): Promise<Map<string, FormerHolder>> {
  const found = new Map<string, FormerHolder>();
  for (const part of inParts(accounts, ACCOUNTS_PER_STATEMENT)) {
    const asked = new Set(part.map(accountKey));
    const numbers = part.flatMap(({ accountNumber }) => spellingsOf(accountNumber));
    for (const [payee, changes] of await listChangedPayees(services, organizationId, numbers)) {
      for (const { changedAt, ...account } of formerAccounts(payee, changes)) {
        const key = accountKey(account);
        const isLater = changedAt > (found.get(key)?.changedAt ?? 0);
        if (asked.has(key) && isLater) found.set(key, { payeeId: payee.payeeId, name: payee.name, changedAt });
      }
    }
  }
  return found;
}

/** Payees that have one of these account numbers or had it, each with the changes of its account, newest first. */
async function listChangedPayees({ db }: ReadServices, organizationId: string, numbers: readonly string[]) {
  const asked = JSON.stringify([...new Set(numbers)]);
  const rows = await db.all<
    ChangedPayee & AccountChange
  >(sql`SELECT "payee"."id" AS "payeeId", "payee"."name", "payee"."bsb",
      "payee"."accountNumber", "change"."field", "change"."oldValue", "change"."createdAt"
    FROM (SELECT "former"."payeeId" FROM json_each(${asked}) AS "number" CROSS JOIN "payee_changes" AS "former"
        WHERE "former"."organizationId" = ${organizationId} AND "former"."field" = 'accountNumber'
          AND "former"."oldValue" = "number"."value"
      UNION SELECT "same"."payeeId" FROM json_each(${asked}) AS "number" CROSS JOIN "payee_terms" AS "same"
        WHERE "same"."organizationId" = ${organizationId} AND "same"."term" = "number"."value") AS "walk"
    CROSS JOIN "payees" AS "payee" CROSS JOIN "payee_changes" AS "change"
    WHERE "payee"."organizationId" = ${organizationId} AND "payee"."id" = "walk"."payeeId"
      AND "payee"."bankDetailsChangedAt" IS NOT NULL
      AND "change"."organizationId" = ${organizationId} AND "change"."payeeId" = "payee"."id"
      AND "change"."field" IN ('bsb', 'accountNumber')
    ORDER BY "payee"."id", "change"."id" DESC`);
  const payees = new Map<string, [ChangedPayee, AccountChange[]]>();
  for (const { field, oldValue, createdAt, ...payee } of rows) {
    const known = payees.get(payee.payeeId) ?? [payee, []];
    known[1].push({ field, oldValue, createdAt });
    payees.set(payee.payeeId, known);
  }
  return payees.values();
}
