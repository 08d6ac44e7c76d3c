import { payees, payeeTerms, type Statement, verifications } from "@db/database";
import { and, eq, sql } from "drizzle-orm";
import type { PayeeDetails } from "~/kernel/payee";
import { termsOfPayee } from "~/modules/core/payee-keys";
import type { Evidence } from "~/modules/payees/verifications/verification";
import { openVerifications } from "~/modules/payees/verifications/verification.server";
import type { Actor, Services } from "~/services-and-actor";

export const NO_EVIDENCE: Evidence = {
  institution: { mnemonic: "CBA", name: "Commonwealth Bank of Australia" },
  unusualAccountLength: false,
  vouching: { exact: 0, close: 0, different: 0 },
  lookalikes: [],
};

let accounts = 10_000_000;

/** A payee with a pending verification of its details. Every one has an account of its own unless given. */
export async function aPendingVerification(
  services: Services,
  actor: Actor,
  input: {
    payee?: Partial<PayeeDetails>;
    /** Null: the system opened it. */
    requestedById?: string | null;
    createdById?: string | null;
    evidence?: Evidence;
    /** Columns as a finished check leaves them. */
    checked?: Partial<typeof verifications.$inferInsert>;
  } = {},
): Promise<{ organizationId: string; payeeId: string; verificationId: string; details: PayeeDetails }> {
  const { db, ids } = services;
  const payeeId = ids.next();
  const verificationId = ids.next();
  const details: PayeeDetails = {
    name: "Riverbend Timber",
    accountName: "Riverbend Timber Pty Ltd",
    bsb: "062000",
    accountNumber: String(accounts++),
    abn: null,
    email: `accounts-${payeeId}@riverbend.example`,
    phone: null,
    address: null,
    ...input.payee,
  };
  const { bsb, accountNumber } = details;
  const { organizationId, userId } = actor;
  const now = services.clock.now();
  const statements: Statement[] = [
    db.insert(payees).values({
      ...details,
      id: payeeId,
      organizationId,
      hash: `t:${payeeId}`,
      accountFingerprint: `t:${bsb}${accountNumber}`,
      terms: termsOfPayee(details),
      createdById: input.createdById === undefined ? userId : input.createdById,
      createdAt: now,
      updatedAt: now,
    }),
    db
      .insert(payeeTerms)
      .select(
        sql`SELECT ${organizationId}, value, ${payeeId} FROM json_each(${JSON.stringify(termsOfPayee(details))})`,
      ),
    ...openVerifications(
      services,
      { organizationId, userId: input.requestedById === undefined ? userId : input.requestedById },
      [{ id: verificationId, payeeId, details, evidence: input.evidence ?? NO_EVIDENCE }],
    ),
  ];
  if (input.checked) {
    statements.push(changeVerification(services, { organizationId, verificationId }, input.checked));
  }
  const [first, ...rest] = statements;
  if (first) await db.batch([first, ...rest]);
  return { organizationId, payeeId, verificationId, details };
}

/** Sets columns as another module would leave them. */
export function changeVerification(
  { db }: Services,
  { organizationId, verificationId }: { organizationId: string; verificationId: string },
  change: Partial<typeof verifications.$inferInsert>,
) {
  return db
    .update(verifications)
    .set(change)
    .where(and(eq(verifications.organizationId, organizationId), eq(verifications.id, verificationId)));
}

/** The same for the payee. */
export function changePayee(
  { db }: Services,
  { organizationId, payeeId }: { organizationId: string; payeeId: string },
  change: Partial<typeof payees.$inferInsert>,
) {
  return db
    .update(payees)
    .set(change)
    .where(and(eq(payees.organizationId, organizationId), eq(payees.id, payeeId)));
}
