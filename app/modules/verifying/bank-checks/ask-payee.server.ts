import { bankChecks } from "@db/schema";
import { and, eq } from "drizzle-orm";
import { systemActor } from "~/kernel/actor";
import { findPolicy } from "~/modules/accounts/organizations/policies/policy.server";
import type { Job } from "~/modules/core/commands/job";
import { postponeJob } from "~/modules/core/commands/outbox.statements.server";
import { requireSendingAllowed } from "~/modules/messages/notifications/outside-messages.server";
import { holdsFreshLink } from "~/modules/payees/payee-links/payee-link";
import { type NewPayeeLink, newPayeeLink } from "~/modules/payees/payee-links/payee-link.server";
import { type findPayeeContact, toBankDataContact } from "~/modules/payees/payee-links/payee-link-contact.server";
import { nextStep } from "./bank-check";
import { type Advancing, type BankCheck, timesOf } from "./bank-check.server";

type Contact = NonNullable<ReturnType<typeof findPayeeContact>>;

export type Asked = { providerUserId: string; contact: Contact };

/**
 * Makes the provider's user for a check.
 *
 * The provider is sent our id of the check as idempotency key, but does not promise to honour it. A crash between its
 * answer and our commit may therefore leave a second user there. It never gets a consent link, so no bank data can
 * reach it; the schedule deletes it (`deleteOrphans`), or the job of its `user.created` event does.
 */
export async function createProviderUser(services: Advancing, check: BankCheck, contact: Contact): Promise<string> {
  const { payee } = check;
  await requireSendingAllowed(services, check.organizationId, contact.to);
  const business = payee.abn === null ? {} : { businessName: payee.name, abn: payee.abn };
  const person = { ...toBankDataContact(payee), ...business };
  return (await services.bankData.createUser(person, check.id)).providerUserId;
}

/** Keeps the provider's user with the check, and sends the payee our link, or counts on the one that they hold. */
export async function askPayee(services: Advancing, job: Job, check: BankCheck, { providerUserId, contact }: Asked) {
  const { db, clock } = services;
  const { organizationId, verification, payee } = check;
  const link = holdsFreshLink(verification, payee, clock.now())
    ? keptLink(check)
    : await sendLink(services, job, check, contact);
  const step = nextStep("starting", { type: "payee_asked" }, timesOf(check), clock.now());
  const dueAt = step.do === "wait" ? step.until : clock.now();
  return {
    conditions: link.conditions,
    statements: [
      db
        .update(bankChecks)
        .set({ providerUserId, step: "awaiting_payee" })
        .where(and(eq(bankChecks.organizationId, organizationId), eq(bankChecks.id, check.id))),
      postponeJob(services, job, { dueAt, attempts: 0 }),
    ],
    parts: link.parts,
    woken: [{ id: job.id, kind: job.kind, dueAt }],
  };
}

async function sendLink(services: Advancing, job: Job, check: BankCheck, contact: Contact) {
  const { organizationId, organizationName, verificationId, payee } = check;
  const { timeZone } = await findPolicy(services, organizationId);
  const { accountNumber } = check.verification;
  const target = { verificationId, accountNumber, payee, organizationName, timeZone, contact };
  return newPayeeLink(services, systemActor(organizationId, job.id), target);
}

/** One link for the confirmation and the bank check: the one that the payee was sent leads on to the bank now. */
function keptLink({ verificationId }: BankCheck): NewPayeeLink {
  const audit = { action: "verification.link_kept", entityType: "verification", entityId: verificationId } as const;
  return { conditions: [], parts: [{ statements: [], audit: [audit] }] };
}
