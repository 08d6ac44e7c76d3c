import type { Statement } from "@db/client";
import { payeeChanges, payees } from "@db/schema";
import { and, eq } from "drizzle-orm";
import type { Actor } from "~/kernel/actor";
import { BANK_FIELDS, type FormerTrust } from "~/kernel/payee";
import { fingerprintPayee } from "~/modules/account-fingerprints/payee-fingerprint.server";
import type { CommandPart } from "~/modules/commands/run-command.server";
import type { NotifyServices } from "~/services";
import type { PayeeRow } from "./payee.queries.server";
import { replaceTerms } from "./payee.statements.server";
import { isBankField, maskChange } from "./payee-edit";

/** What a whitelisted payee is trusted with, kept by the edit that takes the trust away; an earlier keeping stands. */
export function formerTrustOf(payee: PayeeRow): { formerTrust: FormerTrust } | undefined {
  if (!payee.whitelisted) return undefined;
  const { accountName, bsb, accountNumber, whitelistedAt, whitelistedById, whitelistedReason, whitelistGlobal } = payee;
  const { bankDetailsChangedAt, bankDetailsChangedById } = payee;
  return {
    formerTrust: {
      accountName,
      bsb,
      accountNumber,
      whitelistedAt,
      whitelistedById,
      whitelistedReason,
      whitelistGlobal,
      bankDetailsChangedAt,
      bankDetailsChangedById,
    },
  };
}

/** The former details were decided about: they are not offered again. */
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

/**
 * Puts back the bank details that a whitelisted payee had before they were changed, for the batch that rejects the new
 * ones: it is then as trusted as it was. The change rows name no person, because nobody entered these details now; the
 * audit entry says who restored them. The command requires that the account is free and the payee unchanged.
 */
export async function restoreFormerTrust(
  services: NotifyServices,
  { organizationId }: Actor,
  payee: PayeeRow,
  former: FormerTrust,
): Promise<CommandPart> {
  const { db, clock } = services;
  const details = { accountName: former.accountName, bsb: former.bsb, accountNumber: former.accountNumber };
  const digests = await fingerprintPayee(services, details);
  const changes = BANK_FIELDS.filter((field) => payee[field] !== former[field]).map((field) => ({
    field,
    from: payee[field],
    to: former[field],
  }));
  return {
    statements: [
      db
        .update(payees)
        .set({
          ...former,
          ...digests,
          whitelisted: true,
          takenOffWhitelistAt: null,
          formerTrust: null,
          version: payee.version + 1,
          updatedAt: clock.now(),
        })
        .where(and(eq(payees.organizationId, organizationId), eq(payees.id, payee.id))),
      ...insertChanges(services, payee, changes),
      ...replaceTerms(services, organizationId, payee.id, { ...payee, ...details }),
    ],
    audit: [
      {
        action: "payee.details_restored",
        entityType: "payee",
        entityId: payee.id,
        details: { changes: changes.filter(isBankField).map(maskChange), whitelistGlobal: former.whitelistGlobal },
      },
    ],
  };
}

type Change = { field: string; from: string | null; to: string | null };

const insertChanges = ({ db, clock, ids }: NotifyServices, payee: PayeeRow, changes: readonly Change[]) =>
  changes.map(({ field, from, to }) =>
    db.insert(payeeChanges).values({
      id: ids.next(),
      organizationId: payee.organizationId,
      payeeId: payee.id,
      userId: null,
      field,
      oldValue: from,
      newValue: to,
      createdAt: clock.now(),
    }),
  );
