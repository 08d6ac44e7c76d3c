import { bankChecks } from "@db/schema";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Origin } from "~/kernel/actor";
import { wakeJob } from "~/modules/core/commands/outbox.statements.server";
import { runCommand, runStep } from "~/modules/core/commands/run-command.server";
import { payeeLinkState } from "~/modules/payees/payee-links/payee-link";
import { getPayeeLink, type LinkInput } from "~/modules/payees/payee-links/payee-link.server";
import { checkIsRunning, findRunningCheck, listCheckJobs } from "~/modules/payees/verifications/running-check.server";
import type { Services, WriteServices } from "~/services";
import { nextStep, stateOf } from "./bank-check";
import { findCheckByState, timesOf } from "./bank-check.server";

type Consenting = WriteServices & Pick<Services, "secrets" | "bankData">;

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
  const { db, clock, ids, secrets, bankData } = services;
  const link = await getPayeeLink(services, input);
  if (payeeLinkState(link, clock.now()) !== "confirmed" || link.status !== "pending") return null;
  const { organizationId, organizationName, verificationId } = link;
  const check = await findRunningCheck(services, organizationId, verificationId);
  if (!check?.providerUserId) return null;
  const state = ids.secret();
  const consentUrl = await bankData.createConsentUrl({ providerUserId: check.providerUserId, state });
  const { ok } = await runCommand(
    services,
    { userId: null, organizationId, origin },
    {
      conditions: [checkIsRunning(services, check)],
      statements: [
        db
          .update(bankChecks)
          .set({ step: "at_bank", stateHash: await secrets.hashToken(state), returnedAt: null })
          .where(and(eq(bankChecks.organizationId, organizationId), eq(bankChecks.id, check.id))),
        wakeJob(services, "bank_check", check.id),
      ],
      audit: [{ action: "verification.payee_sent_to_bank", entityType: "verification", entityId: verificationId }],
      woken: await listCheckJobs(services, check.id),
      answer: undefined,
    },
  );
  return ok ? { consentUrl, organizationName } : null;
}

/**
 * The payee is back from the bank: the check looks at once instead of waiting for its next turn. Coming back twice is
 * coming back once.
 *
 * @returns who asked; null for a `state` that no running check waits for
 */
export async function recordBankReturn(
  services: WriteServices & Pick<Services, "secrets">,
  input: { state: string },
): Promise<{ organizationName: string } | null> {
  const { db, clock, secrets } = services;
  const check = await findCheckByState(services, await secrets.hashToken(input.state));
  if (!check) return null;
  const effect = nextStep(stateOf(check), { type: "payee_returned" }, timesOf(check), clock.now());
  if (effect.do !== "wake") return { organizationName: check.organizationName };
  const isAwaited = and(
    eq(bankChecks.organizationId, check.organizationId),
    eq(bankChecks.id, check.id),
    isNull(bankChecks.finishedAt),
    isNull(bankChecks.returnedAt),
  );
  await runStep(services, {
    conditions: [{ name: "returned_already", found: db.select({ one: sql`1` }).from(bankChecks).where(isAwaited) }],
    statements: [
      db.update(bankChecks).set({ returnedAt: clock.now() }).where(isAwaited),
      wakeJob(services, "bank_check", check.id),
    ],
    woken: await listCheckJobs(services, check.id),
  });
  return { organizationName: check.organizationName };
}
