import type { Statement } from "@db/client";
import { verifications } from "@db/schema";
import { eq } from "drizzle-orm";
import type { Actor } from "~/modules/identity/actor";
import type { PayeeDetails } from "~/modules/payees/payee";
import { insertPayee } from "~/modules/payees/payees.statements.server";
import type { Evidence } from "~/modules/verifications/verification";
import { openVerification } from "~/modules/verifications/verification.statements.server";
import type { Services } from "~/services";

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
): Promise<{ payeeId: string; verificationId: string; details: PayeeDetails }> {
  const { db, ids } = services;
  const payeeId = ids.next();
  const verificationId = ids.next();
  const details: PayeeDetails = {
    name: "Riverbend Timber",
    accountName: "Riverbend Timber Pty Ltd",
    bsb: "062000",
    accountNumber: String(accounts++),
    abn: null,
    email: "accounts@riverbend.example",
    phone: null,
    address: null,
    ...input.payee,
  };
  const { accountName, bsb, accountNumber } = details;
  const { organizationId, userId } = actor;
  const statements: Statement[] = [
    ...insertPayee(
      services,
      { organizationId, userId: input.createdById === undefined ? userId : input.createdById },
      { id: payeeId, details, hash: `t:${payeeId}`, accountFingerprint: `t:${bsb}${accountNumber}` },
    ),
    openVerification(
      services,
      { organizationId, userId: input.requestedById === undefined ? userId : input.requestedById },
      { id: verificationId, payeeId, accountName, bsb, accountNumber, evidence: input.evidence ?? NO_EVIDENCE },
    ),
  ];
  if (input.checked) {
    statements.push(db.update(verifications).set(input.checked).where(eq(verifications.id, verificationId)));
  }
  const [first, ...rest] = statements;
  if (first) await db.batch([first, ...rest]);
  return { payeeId, verificationId, details };
}
