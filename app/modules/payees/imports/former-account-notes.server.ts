import { verifications } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import type { PayeeDetails } from "~/kernel/payee";
import { sayFormerHolder } from "~/modules/payees/verifications/former-accounts";
import { findFormerHolders } from "~/modules/payees/verifications/former-accounts.server";
import { headlineOfFlag, type VerdictLook } from "~/modules/payees/verifications/verdict";
import type { ReadServices } from "~/services";

/** What stands beside a row whose account was another payee's before: the verdict of its verification. */
export function verdictOfFormerAccount(): VerdictLook {
  const { tone, icon, word } = headlineOfFlag("former_account");
  return { tone, icon, word };
}

/** Of each account that rows add, whose it was before, in sentences; empty where it was no payee's. */
export async function sayFormerAccounts(
  services: ReadServices,
  organizationId: string,
  { added, timeZone }: { added: readonly PayeeDetails[]; timeZone: string },
): Promise<(account: PayeeDetails) => string[]> {
  const holdersOf = await findFormerHolders(services, organizationId, added);
  return (account) => {
    const said = holdersOf(account).map((holder) => sayFormerHolder(holder, timeZone));
    return said.length > 0 ? [...said, "Approving it asks for a reason."] : [];
  };
}

/** Those of some payees whose verification names another payee that had the account, and is not decided. */
export async function findOnFormerAccounts(
  { db }: ReadServices,
  organizationId: string,
  payeeIds: readonly (string | null)[],
): Promise<ReadonlySet<string | null>> {
  const ids = [...new Set(payeeIds.filter((id) => id !== null))];
  if (ids.length === 0) return new Set();
  const rows = await db
    .select({ payeeId: verifications.payeeId })
    .from(verifications)
    .where(
      and(
        eq(verifications.organizationId, organizationId),
        sql`${verifications.payeeId} IN (SELECT "value" FROM json_each(${JSON.stringify(ids)}))`,
        eq(verifications.status, "pending"),
        sql`json_array_length(${verifications.evidence}, '$.formerHolders') > 0`,
      ),
    );
  return new Set(rows.map(({ payeeId }) => payeeId));
}
