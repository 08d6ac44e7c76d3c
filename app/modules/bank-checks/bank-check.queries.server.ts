import { bankChecks, organizations, organizationUsers, outbox, payees, users, verifications } from "@db/schema";
import { and, eq, isNull, type SQL } from "drizzle-orm";
import type { Services } from "~/services";

type Reading = Pick<Services, "db">;

const columns = {
  id: bankChecks.id,
  organizationId: bankChecks.organizationId,
  verificationId: bankChecks.verificationId,
  startedById: bankChecks.startedById,
  step: bankChecks.step,
  providerUserId: bankChecks.providerUserId,
  startedAt: bankChecks.startedAt,
  returnedAt: bankChecks.returnedAt,
  finishedAt: bankChecks.finishedAt,
  outcome: bankChecks.outcome,
  verification: {
    id: verifications.id,
    status: verifications.status,
    accountName: verifications.accountName,
    bsb: verifications.bsb,
    accountNumber: verifications.accountNumber,
    outcome: verifications.outcome,
    requestedById: verifications.requestedById,
    linkExpiresAt: verifications.verificationTokenExpiresAt,
    linkSentAt: verifications.notificationSentAt,
    confirmedAt: verifications.verifiedByPayeeAt,
  },
  payee: {
    id: payees.id,
    name: payees.name,
    abn: payees.abn,
    email: payees.email,
    phone: payees.phone,
    disputedAt: payees.disputedAt,
  },
  organizationName: organizations.name,
};

async function findOne(services: Reading, condition: SQL | undefined) {
  const [row] = await services.db
    .select(columns)
    .from(bankChecks)
    .innerJoin(
      verifications,
      and(eq(verifications.organizationId, bankChecks.organizationId), eq(verifications.id, bankChecks.verificationId)),
    )
    .innerJoin(
      payees,
      and(eq(payees.organizationId, verifications.organizationId), eq(payees.id, verifications.payeeId)),
    )
    .innerJoin(organizations, eq(organizations.id, bankChecks.organizationId))
    .where(condition);
  return row;
}

/** A bank check with what it is about. */
export type BankCheck = NonNullable<Awaited<ReturnType<typeof findOne>>>;

/** The check a job moves on, of the job's organisation. */
export function findBankCheck(
  services: Reading,
  job: { organizationId: string | null; subjectId: string | null },
): Promise<BankCheck | undefined> {
  const { organizationId, subjectId } = job;
  if (organizationId === null || subjectId === null) return Promise.resolve(undefined);
  return findOne(services, and(eq(bankChecks.organizationId, organizationId), eq(bankChecks.id, subjectId)));
}

/** The check under way for a verification, if there is one. */
export function findRunningCheck(
  services: Reading,
  organizationId: string,
  verificationId: string,
): Promise<BankCheck | undefined> {
  return findOne(
    services,
    and(
      eq(bankChecks.organizationId, organizationId),
      eq(bankChecks.verificationId, verificationId),
      isNull(bankChecks.finishedAt),
    ),
  );
}

/** Whose check a provider's user belongs to: events name nothing else. */
export function findCheckOfProviderUser(services: Reading, providerUserId: string): Promise<BankCheck | undefined> {
  return findOne(services, eq(bankChecks.providerUserId, providerUserId));
}

/** The running check whose payee comes back from the bank with this `state`, given as its hash. */
export function findCheckByState(services: Reading, stateHash: string): Promise<BankCheck | undefined> {
  return findOne(services, and(eq(bankChecks.stateHash, stateHash), isNull(bankChecks.finishedAt)));
}

/** Whether a payee who says yes can go on to their bank. */
export async function canContinueToBank(
  services: Reading,
  { organizationId, verificationId }: { organizationId: string; verificationId: string },
): Promise<boolean> {
  const check = await findRunningCheck(services, organizationId, verificationId);
  return check !== undefined && check.providerUserId !== null && check.verification.status === "pending";
}

/** The job that moves a check on, to tell its queue that it is due. */
export async function findCheckJobIds(services: Reading, checkId: string): Promise<string[]> {
  const rows = await services.db
    .select({ id: outbox.id })
    .from(outbox)
    .where(and(eq(outbox.subjectId, checkId), eq(outbox.kind, "bank_check"), eq(outbox.status, "pending")));
  return rows.map((row) => row.id);
}

/** Who is told how a check ended: who started it, else who asked for the verification. */
export const requesterOf = ({ startedById, verification }: BankCheck): string | undefined =>
  startedById ?? verification.requestedById ?? undefined;

/** Their address; nobody's once they have left. */
export async function findRequesterEmail(services: Reading, check: BankCheck): Promise<string[]> {
  const userId = requesterOf(check);
  if (userId === undefined) return [];
  const rows = await services.db
    .select({ email: users.email })
    .from(users)
    .innerJoin(
      organizationUsers,
      and(eq(organizationUsers.userId, users.id), eq(organizationUsers.organizationId, check.organizationId)),
    )
    .where(and(eq(users.id, userId), eq(users.status, "active")));
  return rows.map((row) => row.email);
}
