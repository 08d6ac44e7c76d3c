import type { Statement } from "@db/client";
import type { Condition } from "@db/precondition";
import { payees, payeeTerms, verifications } from "@db/schema";
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { PayeeDetails } from "~/kernel/payee";
import { spellingsOf } from "~/modules/account-fingerprints/payee-fingerprint";
import { termsOfPayee } from "~/modules/search-terms/search-terms";
import type { Services } from "~/services";

type Acting = { userId: string | null; organizationId: string };
type Account = { bsb: string; accountNumber: string };

/** A new payee and its search terms, for the batch that also opens its verification. */
export function insertPayee(
  services: Pick<Services, "db" | "clock">,
  acting: Acting,
  payee: { id: string; details: PayeeDetails; hash: string; accountFingerprint: string },
): Statement[] {
  const now = services.clock.now();
  const { id, details, ...digests } = payee;
  const { organizationId, userId } = acting;
  const row = { id, ...details, ...digests, organizationId, createdById: userId, createdAt: now, updatedAt: now };
  return [services.db.insert(payees).values(row), insertTerms(services, organizationId, id, termsOfPayee(details))];
}

/** Replaces the terms a payee is found under, for the batch that edits it. */
export function replaceTerms(
  services: Pick<Services, "db">,
  organizationId: string,
  payeeId: string,
  details: PayeeDetails,
): Statement[] {
  const { db } = services;
  return [
    db.delete(payeeTerms).where(and(eq(payeeTerms.organizationId, organizationId), eq(payeeTerms.payeeId, payeeId))),
    insertTerms(services, organizationId, payeeId, termsOfPayee(details)),
  ];
}

/** One statement however many terms there are: D1 binds at most 100 parameters. */
function insertTerms(
  { db }: Pick<Services, "db">,
  organizationId: string,
  payeeId: string,
  terms: readonly string[],
): Statement {
  return db
    .insert(payeeTerms)
    .select(sql`SELECT ${organizationId}, value, ${payeeId} FROM json_each(${JSON.stringify(terms)})`);
}

/** No (other) payee of the organisation has the account, however its number is written. */
export function accountIsFree(
  organizationId: string,
  account: Account,
  exceptPayeeId = "",
): Condition<"account_taken"> {
  const found = sql`SELECT 1 WHERE NOT EXISTS (
    SELECT 1 FROM ${payees} WHERE ${hasAccount(organizationId, account)} AND ${payees.id} <> ${exceptPayeeId})`;
  return { name: "account_taken", found };
}

/** Condition that finds an organisation's payee by its account: UNIQUE, whatever key its fingerprint was made with. */
export function hasAccount(organizationId: string, account: Account): SQL | undefined {
  const spellings = JSON.stringify(spellingsOf(account.accountNumber));
  return and(
    eq(payees.organizationId, organizationId),
    eq(payees.bsb, account.bsb),
    sql`${payees.accountNumber} IN (SELECT value FROM json_each(${spellings}))`,
  );
}

/** The payee is as it was when the person looked at it. */
export function payeeIsUnchanged(
  { db }: Pick<Services, "db">,
  organizationId: string,
  payee: { id: string; version: number },
): Condition<"payee_changed"> {
  const found = db
    .select({ one: sql`1` })
    .from(payees)
    .where(and(eq(payees.organizationId, organizationId), eq(payees.id, payee.id), eq(payees.version, payee.version)));
  return { name: "payee_changed", found };
}

/** The payee's pending verification is still this one, or there is still none. */
export function pendingVerificationIs(
  { db }: Pick<Services, "db">,
  organizationId: string,
  payeeId: string,
  verificationId: string | undefined,
): Condition<"verification_changed"> {
  const pending = db
    .select({ id: verifications.id })
    .from(verifications)
    .where(
      and(
        eq(verifications.organizationId, organizationId),
        eq(verifications.payeeId, payeeId),
        sql`${verifications.status} = 'pending'`,
      ),
    );
  return { name: "verification_changed", found: sql`SELECT 1 WHERE (${pending}) IS ${verificationId ?? null}` };
}
