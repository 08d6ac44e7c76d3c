import type { Condition } from "@db/precondition";
import { payees, paymentRecords, verifications } from "@db/schema";
import { and, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Actor } from "~/kernel/actor";
import { notFound } from "~/kernel/app-error";
import { DAY_MS } from "~/kernel/dates";
import type { BankDetails } from "~/kernel/payee";
import { describeInstitution } from "~/modules/bsb-directory/directory";
import { findDirectoryEntry } from "~/modules/bsb-directory/directory.queries.server";
import type { Policy } from "~/modules/organizations/policies/policy";
import { accountIsFree, hasAccount } from "~/modules/payees/payee.statements.server";
import { DUPLICATE_DAYS } from "~/modules/payment-rules/duplicate-payment";
import type { PaymentFacts } from "~/modules/payment-rules/facts";
import { referenceKey } from "~/modules/payment-rules/reference-key";
import { RECENT_PAYMENTS } from "~/modules/payment-rules/unusual-amount";
import type { Services } from "~/services";

/** A payment that somebody wants to record, checked and normalised. */
export type NewPayment = {
  to: { payeeId: string } | BankDetails;
  /** Integer cents, Australian dollars. */
  amount: number;
  reference: string;
  description: string | null;
};

type Reading = Pick<Services, "db" | "clock">;

const latest = alias(verifications, "latest");
const latestDecided = alias(verifications, "latestDecided");
const duplicate = alias(paymentRecords, "duplicate");

const latestColumns = {
  id: latest.id,
  status: latest.status,
  accountName: latest.accountName,
  bsb: latest.bsb,
  accountNumber: latest.accountNumber,
  createdAt: latest.createdAt,
};

const decidedColumns = {
  id: latestDecided.id,
  status: latestDecided.status,
  accountName: latestDecided.accountName,
  bsb: latestDecided.bsb,
  accountNumber: latestDecided.accountNumber,
  createdAt: latestDecided.createdAt,
  completedAt: latestDecided.completedAt,
};

const newestOf = (and: SQL) => sql`(SELECT "id" FROM "verifications" AS "newest"
  WHERE "newest"."organizationId" = ${payees.organizationId} AND "newest"."payeeId" = ${payees.id} ${and}
  ORDER BY "newest"."id" DESC LIMIT 1)`;

const newestDuplicate = ({ amount, reference }: Pick<NewPayment, "amount" | "reference">, now: number) =>
  sql`(SELECT "id" FROM "payment_records" AS "same"
    WHERE "same"."organizationId" = ${payees.organizationId} AND "same"."payeeId" = ${payees.id}
    AND "same"."amount" = ${amount} AND "same"."referenceKey" = ${referenceKey(reference)}
    AND "same"."createdAt" > ${now - DUPLICATE_DAYS * DAY_MS} AND "same"."status" <> 'failed'
    ORDER BY "same"."createdAt" DESC LIMIT 1)`;

const largestRecentAmount = sql<number | null>`(SELECT max("amount") FROM (
  SELECT "amount" FROM "payment_records" AS "paid"
  WHERE "paid"."organizationId" = ${payees.organizationId} AND "paid"."payeeId" = ${payees.id} AND "paid"."status" = 'successful'
  ORDER BY "paid"."id" DESC LIMIT ${sql.raw(String(RECENT_PAYMENTS))}) AS "walk")`;

/** What of the organisation's policy the rules look at. */
type RulePolicy = Pick<Policy, "timeZone" | "reverifyAfterMonths" | "firstPaymentLimitCents">;

/**
 * Everything the rules look at: the payee in one query, its BSB in another. The rows read do not depend on how many
 * payees or payments there are.
 *
 * @throws AppError 404 for a payee that is missing or another organisation's
 */
export async function gatherFacts(
  { db, clock }: Reading,
  { organizationId }: Actor,
  payment: NewPayment,
  { timeZone, reverifyAfterMonths, firstPaymentLimitCents }: RulePolicy,
): Promise<PaymentFacts> {
  const { to, amount, reference } = payment;
  const now = clock.now();
  const mine = eq(payees.organizationId, organizationId);
  const [row] = await db
    .select({
      payee: {
        id: payees.id,
        name: payees.name,
        accountName: payees.accountName,
        bsb: payees.bsb,
        accountNumber: payees.accountNumber,
        version: payees.version,
        whitelisted: payees.whitelisted,
        disputedAt: payees.disputedAt,
        bankDetailsChangedAt: payees.bankDetailsChangedAt,
        takenOffWhitelistAt: payees.takenOffWhitelistAt,
        contactChangedAt: payees.contactChangedAt,
        paymentCount: payees.paymentCount,
        lastPaymentDate: payees.lastPaymentDate,
      },
      largestRecentAmount,
      latest: latestColumns,
      latestDecided: decidedColumns,
      duplicate: {
        id: duplicate.id,
        status: duplicate.status,
        reference: duplicate.reference,
        createdAt: duplicate.createdAt,
      },
    })
    .from(payees)
    .leftJoin(latest, and(eq(latest.organizationId, organizationId), eq(latest.id, newestOf(sql``))))
    .leftJoin(
      latestDecided,
      and(
        eq(latestDecided.organizationId, organizationId),
        eq(latestDecided.id, newestOf(sql`AND "status" IN ('verified', 'rejected')`)),
      ),
    )
    .leftJoin(
      duplicate,
      and(eq(duplicate.organizationId, organizationId), eq(duplicate.id, newestDuplicate(payment, now))),
    )
    .where("payeeId" in to ? and(mine, eq(payees.id, to.payeeId)) : hasAccount(organizationId, to));
  if (!row && "payeeId" in to) throw notFound();
  const givenName = "payeeId" in to ? null : to.accountName;
  const account = accountOf(to, row?.payee);
  return {
    now,
    timeZone,
    reverifyAfterMonths,
    firstPaymentLimitCents,
    amount,
    reference,
    givenName,
    account,
    bsbProblem: await findBsbProblem({ db }, account.bsb),
    payee: row
      ? {
          ...row.payee,
          latest: row.latest,
          latestDecided: row.latestDecided,
          largestRecentAmount: row.largestRecentAmount,
        }
      : null,
    duplicate: row?.duplicate ?? null,
  };
}

async function findBsbProblem(services: Pick<Services, "db">, bsb: string): Promise<string | null> {
  const institution = describeInstitution(bsb, await findDirectoryEntry(services, bsb));
  return institution ? (institution.problem ?? null) : "No institution has this BSB.";
}

/** Where the money goes: the payee's account as it is stored, under the name that the payment itself gives. */
function accountOf(to: NewPayment["to"], payee: BankDetails | undefined): BankDetails {
  if (!payee) return to as BankDetails;
  const { accountName, bsb, accountNumber } = payee;
  return { accountName: "payeeId" in to ? accountName : to.accountName, bsb, accountNumber };
}

/**
 * Everything the rules saw is still so. A payee edited, disputed, taken off the whitelist or decided about in the
 * meantime, or the same payment recorded by somebody else, refuses the payment.
 */
export function factsHold(
  { db }: Pick<Services, "db">,
  { organizationId }: Actor,
  facts: PaymentFacts,
): Condition<"facts_changed" | "account_taken"> {
  const { payee } = facts;
  if (!payee) return accountIsFree(organizationId, facts.account);
  const found = db
    .select({ one: sql`1` })
    .from(payees)
    .leftJoin(latest, and(eq(latest.organizationId, organizationId), eq(latest.id, newestOf(sql``))))
    .where(
      and(
        eq(payees.organizationId, organizationId),
        eq(payees.id, payee.id),
        eq(payees.version, payee.version),
        eq(payees.whitelisted, payee.whitelisted),
        sql`${payees.disputedAt} IS ${payee.disputedAt}`,
        sql`${latest.id} IS ${payee.latest?.id ?? null}`,
        sql`${latest.status} IS ${payee.latest?.status ?? null}`,
        // One more of a kind that is held anyway changes nothing: of many at once, only the first may find none.
        sql`(${newestDuplicate(facts, facts.now)} IS NULL) = ${facts.duplicate === null}`,
      ),
    );
  return { name: "facts_changed", found };
}
