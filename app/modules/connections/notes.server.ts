import { accountingContacts, verifications } from "@db/database";
import { and, eq, isNotNull } from "drizzle-orm";
import type { ConnectableSystem } from "~/kernel/accounting-system";
import { AppError, notFound } from "~/kernel/app-error";
import { maskAccountNumber } from "~/kernel/bank-account";
import { formatDate } from "~/kernel/dates";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import type { Job } from "~/modules/core/commands/job";
import { finishJob } from "~/modules/core/commands/outbox.server";
import { endJob, jobIsLeased, runCommand } from "~/modules/core/commands/run-command.server";
import { gradeFactsOf, gradeOf } from "~/modules/payees/verifications/outcomes";
import { gradeColumns } from "~/modules/payees/verifications/verification.server";
import { AccessLost } from "~/ports/accounting";
import { type Actor, type ReadServices, type Services, systemActor, type WriteServices } from "~/services-and-actor";
import {
  findIntegration,
  type Integration,
  integrationIsUnchanged,
  listIntegrations,
  updateIntegration,
} from "./integration.server";
import { isSameAccount } from "./sync";
import { type Accounting, systemOf, withAccess } from "./tokens.server";

/** Notes in suppliers' histories that PayeeProof has verified their bank details, only if an admin allowed it. */

/**
 * Writes the note about one verification to each supplier that has the verified account. A retried job uses the same
 * keys, so that the system stores each note once.
 */
export async function writeNote(services: Accounting, job: Job): Promise<void> {
  const { organizationId, subjectId } = job;
  if (!organizationId || !subjectId) return finishJob(services, job);
  const integrations = await listIntegrations(services, { organizationId });
  const wanted = integrations.filter(({ status, notedTo }) => status === "connected" && notedTo !== null);
  try {
    for (const integration of wanted) await writeNotes(services, job, { integration, verificationId: subjectId });
  } catch (error) {
    if (error instanceof AccessLost) return giveUpNote(services, job, error.message);
    throw error;
  }
  await finishJob(services, job);
}

type Noting = { integration: Integration; verificationId: string };

async function writeNotes(services: Accounting, job: Job, { integration, verificationId }: Noting): Promise<void> {
  const found = systemOf(services, integration);
  if (!found?.system.addNote) return;
  const { organizationId } = integration;
  const suppliers = await listVerifiedSuppliers(services, { organizationId, system: found.name, verificationId });
  const { timeZone } = await findPolicy(services, organizationId);
  for (const { contactId, accountNumber, completedAt, grade } of suppliers) {
    const on = formatDate(completedAt, timeZone);
    const how = grade ? ` ${grade.text}.` : "";
    const text = `Bank details verified by PayeeProof on ${on}: account ${maskAccountNumber(accountNumber)}.${how}`;
    const note = { contactId, text, key: `${job.id}:${contactId}` };
    await withAccess(services, integration, async (access, system) => system.addNote?.(access, note));
  }
}

type Asked = { organizationId: string; system: ConnectableSystem; verificationId: string };

/** The verified payee's suppliers that have the verified account, and not a different one. */
async function listVerifiedSuppliers({ db }: ReadServices, { organizationId, system, verificationId }: Asked) {
  const rows = await db
    .select({ contact: accountingContacts, verification: verifications, beside: gradeColumns("verifications") })
    .from(verifications)
    .innerJoin(
      accountingContacts,
      and(
        eq(accountingContacts.organizationId, organizationId),
        eq(accountingContacts.payeeId, verifications.payeeId),
        eq(accountingContacts.system, system),
        isNotNull(accountingContacts.payeeId),
      ),
    )
    .where(
      and(
        eq(verifications.organizationId, organizationId),
        eq(verifications.id, verificationId),
        eq(verifications.status, "verified"),
      ),
    );
  return rows.flatMap(({ contact, verification, beside }) => {
    const { seenBsb: bsb, seenAccountNumber: accountNumber, contactId } = contact;
    const isIt = bsb !== null && accountNumber !== null && isSameAccount({ bsb, accountNumber }, verification);
    const grade = gradeOf(gradeFactsOf({ ...verification, ...beside }));
    const completedAt = verification.completedAt ?? verification.createdAt;
    return isIt ? [{ contactId, accountNumber, completedAt, grade }] : [];
  });
}

/** After the last failed attempt: the audit trail says that a note was not written, and an alert follows. */
export async function giveUpNote(services: WriteServices, job: Job, error: string): Promise<void> {
  if (!job.organizationId) return finishJob(services, job, "failed", error);
  await runCommand(services, systemActor(job.organizationId, job.id), {
    conditions: [jobIsLeased(services, job)],
    statements: [endJob(services, job, "failed", error)],
    audit: [{ action: "job.given_up", entityId: job.id, details: { kind: job.kind } }],
  });
}

/** Stops writing notes. Consent for them ends with the next connection. @throws AppError 404, 409 */
export async function stopNotes(
  services: WriteServices & Pick<Services, "accounting">,
  actor: Actor,
  system: ConnectableSystem,
): Promise<void> {
  const existing = await findIntegration(services, actor, system);
  if (!existing || existing.notedTo === null) throw notFound();
  const { ok } = await runCommand(services, actor, {
    conditions: [integrationIsUnchanged(services, existing)],
    statements: [updateIntegration(services, existing, { notedTo: null })],
    audit: [{ action: "integration.notes_stopped", entityId: existing.id, details: { system } }],
  });
  if (!ok)
    throw new AppError(
      "CHANGED_MEANWHILE",
      "The connection changed in the meantime. Look at it again, then try again.",
    );
}
