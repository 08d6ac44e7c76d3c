import { organizations, payees, verifications } from "@db/schema";
import { and, eq } from "drizzle-orm";
import { AppError } from "~/kernel/app-error";
import { isId } from "~/kernel/ids";
import type { Services } from "~/services";

/** What a payee's link says: the token, and the ids that must belong to it. */
export type LinkInput = { token: string; vid: string; pid: string };

/** Longer than any token of ours. */
const MAX_TOKEN_LENGTH = 100;

/**
 * The link as the database knows it.
 * @throws AppError 404, the same for an unknown token, a replaced one and ids that do not belong to it
 */
export async function getPayeeLink(services: Pick<Services, "db" | "secrets">, input: LinkInput) {
  const { token, vid, pid } = input;
  const isPlausible = token.length <= MAX_TOKEN_LENGTH && isId(vid) && isId(pid);
  const tokenHash = await services.secrets.hashToken(isPlausible ? token : "");
  const [row] = await services.db
    .select({
      verificationId: verifications.id,
      organizationId: verifications.organizationId,
      organizationName: organizations.name,
      payee: { id: payees.id, name: payees.name },
      status: verifications.status,
      verifiedByPayee: verifications.verifiedByPayee,
      verifiedByPayeeAt: verifications.verifiedByPayeeAt,
      disputedByPayeeAt: verifications.disputedByPayeeAt,
      verificationTokenExpiresAt: verifications.verificationTokenExpiresAt,
      submitted: {
        accountName: verifications.accountName,
        bsb: verifications.bsb,
        accountNumber: verifications.accountNumber,
      },
      current: { accountName: payees.accountName, bsb: payees.bsb, accountNumber: payees.accountNumber },
    })
    .from(verifications)
    .innerJoin(
      payees,
      and(eq(payees.organizationId, verifications.organizationId), eq(payees.id, verifications.payeeId)),
    )
    .innerJoin(organizations, eq(organizations.id, verifications.organizationId))
    .where(eq(verifications.verificationToken, tokenHash));
  if (!row || row.verificationId !== vid || row.payee.id !== pid) {
    throw new AppError(
      "NOT_FOUND",
      404,
      "Verification failed: this is not a link of ours, or a newer one has taken its place. Please open the newest message.",
    );
  }
  return { ...row, tokenHash };
}

export type FoundPayeeLink = Awaited<ReturnType<typeof getPayeeLink>>;
