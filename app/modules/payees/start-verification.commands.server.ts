import { commit } from "@db/commit";
import { isConstraintError } from "@db/errors";
import { verifications } from "@db/schema";
import { and, eq } from "drizzle-orm";
import { AppError } from "~/kernel/app-error";
import type { Actor } from "~/modules/identity/actor";
import { findPolicy } from "~/modules/organizations/policy.queries.server";
import { requireLiveSubscription } from "~/modules/organizations/subscription.queries.server";
import type { Services } from "~/services";
import { openOrAccept, prepareVerification } from "./open-verification.server";
import { findPendingVerification, getPayee } from "./payee.queries.server";
import { whileUnchanged } from "./payees.statements.server";

/**
 * Opens a new verification of a payee's current details.
 * @throws AppError 404; 402 SUBSCRIPTION_REQUIRED; 409 VERIFICATION_PENDING with `verificationId`, EDIT_CONFLICT
 */
export async function startVerification(
  services: Pick<Services, "db" | "clock" | "ids" | "secrets">,
  actor: Actor,
  payeeId: string,
): Promise<{ verificationId: string }> {
  const payee = await getPayee(services, actor, payeeId);
  await requireNonePending(services, actor, payeeId);
  await requireLiveSubscription(services, actor.organizationId);
  const [policy, prepared] = await Promise.all([
    findPolicy(services, actor.organizationId),
    prepareVerification(services, actor, { payeeId, details: payee, cause: "requested" }),
  ]);
  const { verificationId } = prepared;
  const statements = [
    whileUnchanged(services, actor.organizationId, payee),
    ...openOrAccept(services, actor, prepared, policy),
  ];
  try {
    await commit(services.db, statements, () => wasOpened(services, actor, verificationId));
  } catch (error) {
    if (!isConstraintError(error)) throw error;
    await requireNonePending(services, actor, payeeId);
    throw new AppError("EDIT_CONFLICT", 409, "The payee was changed at the same moment. Look again, then try again.");
  }
  return { verificationId };
}

type Reading = Pick<Services, "db">;

async function requireNonePending(services: Reading, actor: Actor, payeeId: string): Promise<void> {
  const verificationId = await findPendingVerification(services, actor, payeeId);
  if (verificationId === undefined) return;
  throw new AppError("VERIFICATION_PENDING", 409, "A verification of this payee is already waiting for a decision.", {
    extra: { verificationId },
  });
}

async function wasOpened({ db }: Reading, actor: Actor, id: string): Promise<boolean> {
  const rows = await db
    .select({ id: verifications.id })
    .from(verifications)
    .where(and(eq(verifications.organizationId, actor.organizationId), eq(verifications.id, id)));
  return rows.length > 0;
}
