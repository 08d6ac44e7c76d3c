import type { Statement } from "@db/client";
import { givenRows } from "@db/given-rows";
import { insertRows } from "@db/insert-rows";
import type { Condition } from "@db/precondition";
import { payeeChanges, payees, payeeTerms, verifications } from "@db/schema";
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { DetailsOrigin, PayeeDetails } from "~/kernel/payee";
import { spellingsOf } from "~/modules/core/payee-fingerprint";
import { leadingTerms, termsOfPayee } from "~/modules/core/search-terms";
import { addNameWords } from "~/modules/core/search-words.server";
import { requestAnswers } from "~/modules/directories/register.server";
import type { ReadServices, Services } from "~/services";

type Acting = { userId: string | null; organizationId: string };
type Account = { bsb: string; accountNumber: string };

type NewPayee = {
  id: string;
  details: PayeeDetails;
  hash: string;
  accountFingerprint: string;
  /** Absent: a person entered the account. */
  accountingOrigins?: DetailsOrigin[];
};

/** New payees and their search terms, for the batch that also opens their verifications. */
export function insertPayees(
  { db, clock, ids }: Pick<Services, "db" | "clock" | "ids">,
  { organizationId, userId }: Acting,
  added: readonly NewPayee[],
): Statement[] {
  const now = clock.now();
  const rows = added.map(({ id, details, ...digests }) => ({
    id,
    ...details,
    ...digests,
    terms: termsOfPayee(details),
    organizationId,
    createdById: userId,
    createdAt: now,
    updatedAt: now,
  }));
  const terms = added.flatMap(({ id, details }) =>
    leadingTerms(details).map((term) => ({ organizationId, term, payeeId: id })),
  );
  const abns = added.map(({ details }) => details.abn);
  return [
    ...insertRows(db, payees, rows),
    ...insertRows(db, payeeTerms, terms),
    ...addNameWords(
      { db },
      organizationId,
      added.map(({ details }) => details),
    ),
    ...requestAnswers({ db, clock, ids }, abns),
  ];
}

type Filled = { payeeId: string; fills: Partial<PayeeDetails>; details: PayeeDetails };

/**
 * Fields of payees that were empty and are filled in, with their history and the words they are found under. A field that
 * was filled meanwhile stays as it is.
 */
export function fillPayees(
  { db, clock, ids }: Pick<Services, "db" | "clock" | "ids">,
  { organizationId, userId }: Acting,
  filled: readonly Filled[],
): Statement[] {
  if (filled.length === 0) return [];
  const now = clock.now();
  const changes = filled.flatMap(({ payeeId, fills }) =>
    Object.entries(fills).map(([field, newValue]) => ({
      id: ids.next(),
      organizationId,
      payeeId,
      userId,
      field,
      oldValue: null,
      newValue,
      createdAt: now,
    })),
  );
  const abns = filled.map(({ fills }) => fills.abn);
  const terms = filled.flatMap(({ payeeId, details }) => leadingTerms(details).map((term) => [term, payeeId]));
  return [
    fillEmptyFields(db, organizationId, filled, now),
    ...insertRows(db, payeeChanges, changes),
    ...requestAnswers({ db, clock, ids }, abns),
    db
      .insert(payeeTerms)
      .select(
        sql`SELECT ${organizationId}, "term"."value" ->> 0, "term"."value" ->> 1 FROM json_each(${JSON.stringify(terms)}) AS "term" WHERE true`,
      )
      .onConflictDoNothing(),
  ];
}

function fillEmptyFields(db: Services["db"], organizationId: string, filled: readonly Filled[], now: number) {
  const asked = filled.map(({ payeeId, fills, details }) => ({ payeeId, ...fills, terms: termsOfPayee(details) }));
  const fill = (field: "abn" | "email" | "phone" | "address") =>
    sql`coalesce(${payees[field]}, "given"."value" ->> ${sql.raw(`'${field}'`)})`;
  return db
    .update(payees)
    .set({
      abn: fill("abn"),
      email: fill("email"),
      phone: fill("phone"),
      address: fill("address"),
      terms: sql`"given"."value" ->> 'terms'`,
      contactChangedAt: sql`CASE WHEN ("given"."value" ->> 'email' IS NOT NULL AND ${payees.email} IS NULL)
        OR ("given"."value" ->> 'phone' IS NOT NULL AND ${payees.phone} IS NULL)
        THEN ${now} ELSE ${payees.contactChangedAt} END`,
      version: sql`${payees.version} + 1`,
      updatedAt: now,
    })
    .from(givenRows(asked))
    .where(and(eq(payees.organizationId, organizationId), sql`${payees.id} = "given"."value" ->> 'payeeId'`));
}

/** Replaces the terms a payee is found under, for the batch that edits it. */
export function replaceTerms(
  services: ReadServices,
  organizationId: string,
  payeeId: string,
  details: PayeeDetails,
): Statement[] {
  const { db } = services;
  const terms = termsOfPayee(details);
  const isPayee = and(eq(payees.organizationId, organizationId), eq(payees.id, payeeId));
  const before = sql`SELECT value FROM json_each((SELECT ${payees.terms} FROM ${payees} WHERE ${isPayee}))`;
  return [
    db
      .delete(payeeTerms)
      .where(
        and(
          eq(payeeTerms.organizationId, organizationId),
          sql`${payeeTerms.term} IN (${before})`,
          eq(payeeTerms.payeeId, payeeId),
        ),
      ),
    db.update(payees).set({ terms }).where(isPayee),
    ...insertRows(
      db,
      payeeTerms,
      leadingTerms(details).map((term) => ({ organizationId, term, payeeId })),
    ),
    ...addNameWords(services, organizationId, [details]),
  ];
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
  { db }: ReadServices,
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
  { db }: ReadServices,
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
