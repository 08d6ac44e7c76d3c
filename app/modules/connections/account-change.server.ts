import { accountingContacts, rowIn } from "@db/database";
import { and, eq } from "drizzle-orm";
import type { ConnectableSystem } from "~/kernel/accounting-system";
import { AppError, notFound } from "~/kernel/app-error";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { Actor, WriteServices } from "~/services-and-actor";
import { findIntegration, integrationIsUnchanged, listChangesOfPayee, updateIntegration } from "./integration.server";

export type Keeping = {
  payeeId: string;
  system: ConnectableSystem;
  contactId: string;
  /** The change that the person saw. */
  noticedAt: number;
  reason: string;
};

/**
 * Decides that the payee's own details stay although the accounting system's differ. Held payments stay held until a
 * person decides about them; the same account in the accounting system is not reported again, but a different one is.
 * @throws AppError 404, 409 CHANGED_MEANWHILE
 */
export async function keepOwnDetails(services: WriteServices, actor: Actor, keeping: Keeping): Promise<void> {
  const { db, clock } = services;
  const { organizationId, userId } = actor;
  const open = await listChangesOfPayee(services, actor, keeping.payeeId);
  const change = open.find(
    ({ contact }) => contact.system === keeping.system && contact.contactId === keeping.contactId,
  );
  if (!change) throw notFound();
  const integration = await findIntegration(services, actor, keeping.system);
  if (!integration) throw notFound();
  const isIt = and(
    eq(accountingContacts.organizationId, organizationId),
    eq(accountingContacts.system, keeping.system),
    eq(accountingContacts.contactId, keeping.contactId),
    eq(accountingContacts.noticedAt, keeping.noticedAt),
  );
  const { ok } = await runCommand(services, actor, {
    conditions: [
      { name: "changed_again", found: rowIn(db, accountingContacts).where(isIt) },
      integrationIsUnchanged(services, integration),
    ],
    statements: [
      db.update(accountingContacts).set({ keptAt: clock.now(), keptById: userId, updatedAt: clock.now() }).where(isIt),
      // A sync that read this supplier before the decision has to judge it again.
      updateIntegration(services, integration, {}),
    ],
    audit: [
      {
        action: "payee.accounting_kept",
        entityId: keeping.payeeId,
        details: { system: keeping.system, reason: keeping.reason },
      },
    ],
  });
  if (!ok) {
    throw new AppError("CHANGED_MEANWHILE", "The details changed again in the meantime. Look at them again.");
  }
}
