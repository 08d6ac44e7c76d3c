import { bankChecks, organizations, payees, verifications } from "@db/schema";
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { NotifyServices, ReadServices, Services } from "~/services";
import type { CheckTimes } from "./bank-check";

/** What the consumers of bank checks need. */
export type Advancing = NotifyServices & Pick<Services, "log" | "bankData">;

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
    contactChangedAt: payees.contactChangedAt,
  },
  organizationName: organizations.name,
};

async function findOne(services: ReadServices, condition: SQL | undefined) {
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
  services: ReadServices,
  job: { organizationId: string | null; subjectId: string | null },
): Promise<BankCheck | undefined> {
  const { organizationId, subjectId } = job;
  if (organizationId === null || subjectId === null) return Promise.resolve(undefined);
  return findOne(services, and(eq(bankChecks.organizationId, organizationId), eq(bankChecks.id, subjectId)));
}

/** Whose check a provider's user belongs to: events name nothing else. */
export function findCheckOfProviderUser(
  services: ReadServices,
  providerUserId: string,
): Promise<BankCheck | undefined> {
  return findOne(services, eq(bankChecks.providerUserId, providerUserId));
}

/** Which of the provider's users belong to checks of ours, of any organisation. */
export async function listProviderUsersOfChecks(
  { db }: ReadServices,
  providerUserIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (providerUserIds.length === 0) return new Set();
  const rows = await db
    .select({ id: bankChecks.providerUserId })
    .from(bankChecks)
    .where(sql`${bankChecks.providerUserId} IN (SELECT value FROM json_each(${JSON.stringify(providerUserIds)}))`);
  return new Set(rows.flatMap(({ id }) => id ?? []));
}

/** The running check whose payee comes back from the bank with this `state`, given as its hash. */
export function findCheckByState(services: ReadServices, stateHash: string): Promise<BankCheck | undefined> {
  return findOne(services, and(eq(bankChecks.stateHash, stateHash), isNull(bankChecks.finishedAt)));
}

/** What the rules of its life need to know of a check. */
export const timesOf = ({ startedAt, returnedAt, verification }: BankCheck): CheckTimes => ({
  lastActivityAt: Math.max(startedAt, verification.linkSentAt ?? 0, verification.confirmedAt ?? 0),
  linkExpiresAt: verification.linkExpiresAt,
  returnedAt,
});
