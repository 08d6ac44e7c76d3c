import { payees, type Statement } from "@db/database";
import { and, eq } from "drizzle-orm";
import type { FormerTrust } from "~/kernel/payee";
import type { Written } from "~/modules/core/audit/audit";
import type { CommandPart } from "~/modules/core/commands/run-command.server";
import { fingerprintPayee } from "~/modules/core/payee-fingerprint";
import type { ToldOfChange } from "~/modules/messages/notifications/change-notices.statements.server";
import type { Actor, NotifyServices } from "~/services-and-actor";
import { prepareChangeNotices } from "./change-notices.server";
import { openPrepared, prepareVerification } from "./open-verification.server";
import { detailsOf, insertChanges, type PayeeRow, replaceTerms } from "./payee.server";
import { decideEdit, maskChange } from "./payee-edit";

/**
 * What a whitelisted payee was trusted with, stored by the edit that ends the trust. An earlier stored value is kept.
 */
export function formerTrustOf(payee: PayeeRow): { formerTrust: FormerTrust } | undefined {
  if (!payee.whitelisted) return undefined;
  const { name, accountName, bsb, accountNumber } = payee;
  const { whitelistedAt, whitelistedById, whitelistedReason, whitelistGlobal } = payee;
  const { bankDetailsChangedAt, bankDetailsChangedById, renamedAt } = payee;
  return {
    formerTrust: {
      name,
      accountName,
      bsb,
      accountNumber,
      whitelistedAt,
      whitelistedById,
      whitelistedReason,
      whitelistGlobal,
      bankDetailsChangedAt,
      bankDetailsChangedById,
      renamedAt,
    },
  };
}

/** Forgets the former details once they have been decided about, so that they are not offered again. */
export function forgetFormerTrust(
  { db }: Pick<NotifyServices, "db">,
  organizationId: string,
  payeeId: string,
): Statement {
  return db
    .update(payees)
    .set({ formerTrust: null })
    .where(and(eq(payees.organizationId, organizationId), eq(payees.id, payeeId)));
}

type Restoring = {
  payee: PayeeRow;
  former: FormerTrust;
  /** True if the payee is trusted again as before; otherwise its details wait for a decision. */
  isTrusted: boolean;
  /** Further details for the audit trail. */
  details: Omit<Written<"payee.details_restored">, "changes" | "isTrusted" | "whitelistGlobal" | "telling">;
};

/**
 * Restores the name and bank details that a whitelisted payee had before a change, in the batch that rejects the new
 * ones. If it may be trusted again, it gets its former trust; otherwise a new verification opens. The change rows name
 * no person, because nobody typed these details now: the audit entry says who restored them. The calling command must
 * check that the account is free and the payee unchanged, and must keep the conditions of the messages to the payee's
 * contacts.
 */
export async function putFormerBack(
  services: NotifyServices,
  actor: Actor,
  { payee, former, isTrusted, details }: Restoring,
): Promise<{ parts: CommandPart[]; conditions: ToldOfChange["conditions"] }> {
  const { db, clock } = services;
  const { organizationId } = actor;
  const { name = payee.name, accountName, bsb, accountNumber } = former;
  const next = { ...detailsOf(payee), name, accountName, bsb, accountNumber };
  const decision = decideEdit(payee, next);
  const { changes, bankDetailsChanged, renamed } = decision;
  const opening = { payeeId: payee.id, details: next, cause: "details_restored" } as const;
  const [digests, opened] = await Promise.all([
    fingerprintPayee(services, next),
    isTrusted ? undefined : prepareVerification(services, actor, opening),
  ]);
  const told = await prepareChangeNotices(
    services,
    actor,
    { payee, next, decision },
    opened?.verificationId ?? null,
    isTrusted ? "trusted" : "waiting",
  );
  const now = clock.now();
  const trusted = {
    ...former,
    name,
    renamedAt: former.renamedAt ?? null,
    whitelisted: true,
    takenOffWhitelistAt: null,
  };
  const waiting = {
    ...(bankDetailsChanged ? { bankDetailsChangedAt: now, bankDetailsChangedById: actor.userId } : {}),
    ...(renamed ? { renamedAt: now } : {}),
  };
  const entry = { entityType: "payee", entityId: payee.id } as const;
  const restored: CommandPart = {
    statements: [
      db
        .update(payees)
        .set({
          ...next,
          ...digests,
          ...(isTrusted ? trusted : waiting),
          formerTrust: null,
          version: payee.version + 1,
          updatedAt: now,
        })
        .where(and(eq(payees.organizationId, organizationId), eq(payees.id, payee.id))),
      ...insertChanges(services, { organizationId, userId: null }, payee.id, changes),
      ...replaceTerms(services, organizationId, payee.id, next),
    ],
    audit: [
      {
        ...entry,
        action: "payee.details_restored",
        details: {
          changes: changes.map(maskChange),
          isTrusted,
          whitelistGlobal: former.whitelistGlobal,
          ...(told ? { telling: told.telling } : {}),
          ...details,
        },
      },
    ],
  };
  return {
    conditions: told?.conditions ?? [],
    parts: [restored, ...(opened ? [openPrepared(services, actor, opened)] : []), ...(told?.parts ?? [])],
  };
}
