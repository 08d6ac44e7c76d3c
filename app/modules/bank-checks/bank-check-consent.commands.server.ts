import { bankChecks } from "@db/schema";
import { and, eq, isNull } from "drizzle-orm";
import type { Origin } from "~/kernel/actor";
import { recordAudit } from "~/modules/audit/audit.statements.server";
import { wakeJob } from "~/modules/commands/outbox.statements.server";
import { payeeLinkState } from "~/modules/payee-links/payee-link";
import { getPayeeLink, type LinkInput } from "~/modules/payee-links/payee-link.queries.server";
import type { Services } from "~/services";
import { findCheckByState, findCheckJobIds, findRunningCheck } from "./bank-check.queries.server";

type Consenting = Pick<Services, "db" | "clock" | "ids" | "secrets" | "queues" | "bankData">;

/**
 * Where a payee who has confirmed goes on to: a fresh address of the provider's consent pages. Each address carries a
 * new `state`, and only the newest one is recognised when the payee comes back.
 *
 * @returns null when no bank check waits for this payee
 * @throws AppError 404; UpstreamError when the provider cannot be reached (nothing is changed then)
 */
export async function startBankConsent(
  services: Consenting,
  origin: Origin,
  input: LinkInput,
): Promise<{ consentUrl: string; organizationName: string } | null> {
  const { db, clock, ids, secrets, bankData, queues } = services;
  const link = await getPayeeLink(services, input);
  if (payeeLinkState(link, clock.now()) !== "confirmed") return null;
  const { organizationId, organizationName, verificationId } = link;
  const check = await findRunningCheck(services, organizationId, verificationId);
  if (!check?.providerUserId || check.verification.status !== "pending") return null;
  const state = ids.secret();
  const consentUrl = await bankData.createConsentUrl({ providerUserId: check.providerUserId, state });
  await db.batch([
    db
      .update(bankChecks)
      .set({ step: "at_bank", stateHash: await secrets.hashToken(state), returnedAt: null })
      .where(
        and(eq(bankChecks.organizationId, organizationId), eq(bankChecks.id, check.id), isNull(bankChecks.finishedAt)),
      ),
    wakeJob(services, "bank_check", check.id),
    recordAudit(
      services,
      { userId: null, organizationId, origin },
      { action: "verification.payee_sent_to_bank", entityType: "verification", entityId: verificationId },
    ),
  ]);
  await queues.send("bank-checks", await findCheckJobIds(services, check.id));
  return { consentUrl, organizationName };
}

/**
 * The payee is back from the bank: the check looks at once instead of waiting for its next turn. Coming back twice is
 * coming back once.
 *
 * @returns who asked; null for a `state` that no running check waits for
 */
export async function recordBankReturn(
  services: Pick<Services, "db" | "clock" | "secrets" | "queues">,
  input: { state: string },
): Promise<{ organizationName: string } | null> {
  const { db, clock, secrets, queues } = services;
  const check = await findCheckByState(services, await secrets.hashToken(input.state));
  if (!check) return null;
  if (check.returnedAt === null) {
    await db.batch([
      db
        .update(bankChecks)
        .set({ returnedAt: clock.now() })
        .where(
          and(
            eq(bankChecks.organizationId, check.organizationId),
            eq(bankChecks.id, check.id),
            isNull(bankChecks.finishedAt),
            isNull(bankChecks.returnedAt),
          ),
        ),
      wakeJob(services, "bank_check", check.id),
    ]);
    await queues.send("bank-checks", await findCheckJobIds(services, check.id));
  }
  return { organizationName: check.organizationName };
}
