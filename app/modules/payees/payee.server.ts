import {
  type Condition,
  insertRows,
  jsonRows,
  payeeChanges,
  payees,
  payeeTerms,
  payeeWordParts,
  rowIn,
  type Statement,
  verifications,
} from "@db/database";
import { and, eq, ne, type SQL, sql } from "drizzle-orm";
import { AppError, notFound } from "~/kernel/app-error";
import type { Account, DetailsOrigin, PayeeDetails } from "~/kernel/payee";
import { leadingTerms, partsOf, spellingsOf, termsOfPayee, wordsOfNames } from "~/modules/core/payee-keys";
import { lookUpLater } from "~/modules/directories/directory.server";
import { type Grade, gradeFactsOf, gradeOfPayee } from "~/modules/payees/verifications/outcomes";
import { findNewestVerification } from "~/modules/payees/verifications/verification.server";
import type { Asking, ReadServices, Services, TimedServices } from "~/services-and-actor";

/** The organisation that asks: every answer is limited to it. */
export type PayeeRow = typeof payees.$inferSelect;

/** @throws AppError 404, the same for an id that does not exist and one of another organisation */
export async function getPayee(services: ReadServices, actor: Asking, id: string): Promise<PayeeRow> {
  const [row] = await services.db
    .select()
    .from(payees)
    .where(and(eq(payees.organizationId, actor.organizationId), eq(payees.id, id)));
  if (!row) throw notFound();
  return row;
}

/** The organisation's payee that has an account, in any spelling of its number and with any fingerprint key. */
export async function findPayeeByAccount(
  services: ReadServices,
  organizationId: string,
  account: Account,
  exceptPayeeId = "",
): Promise<Pick<PayeeRow, "id" | "name" | "archivedAt"> | undefined> {
  const [row] = await services.db
    .select({ id: payees.id, name: payees.name, archivedAt: payees.archivedAt })
    .from(payees)
    .where(and(hasAccount(organizationId, account), ne(payees.id, exceptPayeeId)))
    .limit(1);
  return row;
}

/** The id of the payee's pending verification, if any; there is never more than one. */
export async function findPendingVerification(services: ReadServices, actor: Asking, payeeId: string) {
  const [row] = await services.db
    .select({ id: verifications.id })
    .from(verifications)
    .where(
      and(
        eq(verifications.organizationId, actor.organizationId),
        eq(verifications.payeeId, payeeId),
        sql`${verifications.status} = 'pending'`,
      ),
    );
  return row?.id;
}

export function detailsOf({ name, accountName, bsb, accountNumber, abn, email, phone, address }: PayeeRow) {
  return { name, accountName, bsb, accountNumber, abn, email, phone, address };
}

/** A payee with its newest verification, and how it was verified (null: it is not trusted). @throws AppError 404 */
export async function getPayeeWithLatest(services: ReadServices, actor: Asking, id: string) {
  const [payee, latest = null, approval] = await Promise.all([
    getPayee(services, actor, id),
    findNewestVerification(services, actor, id),
    findNewestVerification(services, actor, id, "verified"),
  ]);
  const grade = gradeOfPayee(payee, latest, approval ? { ...approval, ...gradeFactsOf(approval) } : null);
  return { payee, latest, grade };
}

/** How a payee was verified; null for one that is not trusted. @throws AppError 404 */
export const findPayeeGrade = async (services: ReadServices, actor: Asking, payeeId: string): Promise<Grade | null> =>
  (await getPayeeWithLatest(services, actor, payeeId)).grade;

/** The error when the organisation already has the account: names the payee. */
export function duplicatePayee(existing: { id: string; name: string; archivedAt: number | null }): AppError {
  const archived = existing.archivedAt === null ? "" : " It is archived; restore it instead.";
  const message = `You already have a payee with this account: ${existing.name}.${archived}`;
  return new AppError("DUPLICATE_PAYEE", message, {
    extra: { payeeId: existing.id, payeeName: existing.name },
    fieldErrors: { accountNumber: ["Another payee has this account"] },
  });
}

/** The error for an archived payee, which can be neither trusted nor verified. @param what the attempted action */
export const payeeArchived = (what: "verified" | "put on the whitelist"): AppError =>
  new AppError("PAYEE_ARCHIVED", `This payee is archived, so it cannot be ${what}. Restore it first.`);

/** @throws AppError 409 DUPLICATE_PAYEE when another payee of the organisation has the account */
export async function requireFreeAccount(
  services: ReadServices,
  organizationId: string,
  account: Account,
  exceptPayeeId?: string,
): Promise<void> {
  const existing = await findPayeeByAccount(services, organizationId, account, exceptPayeeId);
  if (existing) throw duplicatePayee(existing);
}

/** The error when the account was taken at the moment of writing: names the payee that has it, or asks to try again. */
export async function accountTaken(services: ReadServices, organizationId: string, account: Account) {
  const existing = await findPayeeByAccount(services, organizationId, account);
  return existing
    ? duplicatePayee(existing)
    : new AppError("EDIT_CONFLICT", "Someone was changing this account at the same moment. Try again.");
}

type Acting = { userId: string | null; organizationId: string };
type NewPayee = {
  id: string;
  details: PayeeDetails;
  hash: string;
  accountFingerprint: string;
  /** Absent: a person entered the account. */
  accountingOrigins?: DetailsOrigin[];
};

/** Statements that insert new payees and their search terms, for the batch that also opens their verifications. */
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
  const details = added.map((each) => each.details);
  return [
    ...insertRows(db, payees, rows),
    ...insertRows(db, payeeTerms, terms),
    ...addNameWords({ db }, organizationId, details),
    ...lookUpLater({ db, clock, ids }, organizationId, details),
  ];
}

type Filled = { payeeId: string; fills: Partial<PayeeDetails>; details: PayeeDetails };

/** Statements that fill empty fields of payees, with history and search terms; fields filled meanwhile stay. */
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
  const terms = filled.flatMap(({ payeeId, details }) => leadingTerms(details).map((term) => [term, payeeId]));
  return [
    fillEmptyFields(db, organizationId, filled, now),
    ...insertRows(db, payeeChanges, changes),
    ...lookUpLater(
      { db, clock, ids },
      organizationId,
      filled.map(({ fills }) => fills),
    ),
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
    .from(jsonRows(asked))
    .where(and(eq(payees.organizationId, organizationId), sql`${payees.id} = "given"."value" ->> 'payeeId'`));
}

/** Stores a payee's changes, a row for each field. `userId` null: no person typed the value. */
export const insertChanges = (
  { db, clock, ids }: Pick<Services, "db" | "clock" | "ids">,
  acting: Acting,
  payeeId: string,
  changes: readonly { field: string; from: string | null; to: string | null }[],
): Statement[] =>
  changes.map(({ field, from: oldValue, to: newValue }) =>
    db
      .insert(payeeChanges)
      .values({ id: ids.next(), ...acting, payeeId, field, oldValue, newValue, createdAt: clock.now() }),
  );

/** Replaces a payee's search terms, for the batch that edits it. */
export function replaceTerms(services: ReadServices, organizationId: string, payeeId: string, details: PayeeDetails) {
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

/** Stores words of payees' names that are new here, so that their middles are found. A known word costs a look-up. */
function addNameWords(
  { db }: ReadServices,
  organizationId: string,
  named: readonly Pick<PayeeDetails, "name" | "accountName">[],
): Statement[] {
  const words = [...new Set(named.flatMap(wordsOfNames))].map((word) => ({ word, parts: partsOf(word) }));
  const given = words.filter(({ parts }) => parts.length > 0);
  if (given.length === 0) return [];
  return [
    db
      .insert(payeeWordParts)
      .select(
        sql`SELECT ${organizationId}, "part"."value", "given"."value" ->> 'word'
          FROM json_each(${JSON.stringify(given)}) AS "given" CROSS JOIN json_each("given"."value", '$.parts') AS "part"
          WHERE NOT EXISTS (SELECT 1 FROM ${payeeWordParts} AS "known" WHERE "known"."organizationId" = ${organizationId}
            AND "known"."part" = "given"."value" ->> '$.parts[0]' AND "known"."word" = "given"."value" ->> 'word')`,
      )
      .onConflictDoNothing(),
  ];
}

/** The condition that no (other) payee of the organisation has the account, in any spelling of its number. */
export function accountIsFree(organizationId: string, account: Account, exceptPayeeId = "") {
  const found = sql`SELECT 1 WHERE NOT EXISTS (
    SELECT 1 FROM ${payees} WHERE ${hasAccount(organizationId, account)} AND ${payees.id} <> ${exceptPayeeId})`;
  return { name: "account_taken", found };
}

/** The condition that finds an organisation's payee by its account, with any fingerprint key: one at most. */
export function hasAccount(organizationId: string, account: Account): SQL | undefined {
  const spellings = JSON.stringify(spellingsOf(account.accountNumber));
  return and(
    eq(payees.organizationId, organizationId),
    eq(payees.bsb, account.bsb),
    sql`${payees.accountNumber} IN (SELECT value FROM json_each(${spellings}))`,
  );
}

/** The condition that the payee has not changed since the person saw it. */
export function payeeIsUnchanged(
  { db }: ReadServices,
  organizationId: string,
  payee: { id: string; version: number },
): Condition<"payee_changed"> {
  const found = rowIn(db, payees).where(
    and(eq(payees.organizationId, organizationId), eq(payees.id, payee.id), eq(payees.version, payee.version)),
  );
  return { name: "payee_changed", found };
}

/** The condition that the payee's pending verification is still this one, or that it still has none. */
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

/** Trusts a payee's present details, in the batch of the decision. */
export function whitelistPayee(
  services: TimedServices,
  acting: Acting,
  input: { payeeId: string; reason: string; global?: boolean },
): Statement {
  const now = services.clock.now();
  return services.db
    .update(payees)
    .set({
      whitelisted: true,
      whitelistedAt: now,
      whitelistedById: acting.userId,
      whitelistedReason: input.reason,
      takenOffWhitelistAt: null,
      formerTrust: null,
      draftSince: null,
      ...(input.global ? { whitelistGlobal: true } : {}),
      disputedAt: null,
      version: sql`${payees.version} + 1`,
      updatedAt: now,
    })
    .where(and(eq(payees.organizationId, acting.organizationId), eq(payees.id, input.payeeId)));
}

/** The columns of a payee that is on neither whitelist, for a batch that changes other columns at the same time. */
export const OFF_WHITELISTS = {
  whitelisted: false,
  whitelistedAt: null,
  whitelistedById: null,
  whitelistedReason: null,
  whitelistGlobal: false,
} as const;

/**
 * Takes a payee off both whitelists because a person decided so: an earlier verification no longer counts, and its
 * former trust is not offered again.
 */
export function unwhitelistPayee(services: TimedServices, acting: Acting, payeeId: string): Statement {
  const now = services.clock.now();
  return services.db
    .update(payees)
    .set({
      ...OFF_WHITELISTS,
      takenOffWhitelistAt: now,
      formerTrust: null,
      version: sql`${payees.version} + 1`,
      updatedAt: now,
    })
    .where(and(eq(payees.organizationId, acting.organizationId), eq(payees.id, payeeId)));
}
