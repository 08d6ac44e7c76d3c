import { payees, paymentRecords } from "@db/database";
import { and, eq, sql } from "drizzle-orm";
import { AppError } from "~/kernel/app-error";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { OFF_WHITELISTS } from "~/modules/payees/payee.server";
import { CLOSING_REASONS } from "~/modules/payees/verifications/verification";
import type { Actor, TimedServices, WriteServices } from "~/services-and-actor";
import { endPending } from "./open-verification.server";
import {
  findPendingVerification,
  getPayee,
  type PayeeRow,
  payeeIsUnchanged,
  pendingVerificationIs,
} from "./payee.server";

/** Statuses of payments that have not ended. */
const UNFINISHED = sql`('authorised', 'held', 'verification_requested')`;

/**
 * Archives a payee: lists leave it out, it comes off both whitelists, its former trust is forgotten, and its pending
 * verification ends. Nothing is deleted, and its account can still be found. Archiving it twice changes nothing.
 *
 * @throws AppError 404; 409 PAYEE_IN_USE while a payment to it has not ended, EDIT_CONFLICT
 */
export async function archivePayee(services: WriteServices, actor: Actor, payeeId: string): Promise<void> {
  const payee = await getPayee(services, actor, payeeId);
  if (payee.archivedAt !== null) return;
  const { organizationId } = actor;
  const now = services.clock.now();
  const pendingId = await findPendingVerification(services, actor, payeeId);
  const reason = { reason: "The payee was archived", reasonCode: CLOSING_REASONS.payee_archived };
  const set = { ...OFF_WHITELISTS, archivedAt: now, takenOffWhitelistAt: now, formerTrust: null };
  const result = await runCommand(services, actor, {
    conditions: [
      payeeIsUnchanged(services, organizationId, payee),
      pendingVerificationIs(services, organizationId, payeeId, pendingId),
      nothingUnfinished(organizationId, payeeId),
    ],
    statements: [change(services, payee, set)],
    parts:
      pendingId === undefined ? [] : [endPending(services, actor, { payeeId, verificationId: pendingId, ...reason })],
    audit: [{ action: "payee.archived", entityId: payeeId }],
  });
  if (result.ok) return;
  throw result.refused === "payments_unfinished" ? payeeInUse() : changedMeanwhile();
}

/** The result for several payees: how many changed, and why each of the others did not. */
export type ManyActed = Awaited<ReturnType<typeof actOnEach>>;

/** Archives several payees independently: one that cannot be archived does not stop the others. */
export const archivePayees = (services: WriteServices, actor: Actor, payeeIds: readonly string[]) =>
  actOnEach(services, actor, payeeIds, archivePayee);

/** Restores several archived payees independently. */
export const restorePayees = (services: WriteServices, actor: Actor, payeeIds: readonly string[]) =>
  actOnEach(services, actor, payeeIds, restorePayee);

async function actOnEach(services: WriteServices, actor: Actor, payeeIds: readonly string[], act: typeof archivePayee) {
  const problems = new Map<string, string>();
  const chosen = new Set(payeeIds);
  for (const payeeId of chosen) {
    try {
      await act(services, actor, payeeId);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      problems.set(payeeId, error.message);
    }
  }
  const names = await findNames(services, actor, [...problems.keys()]);
  const kept = names.map(({ id, name }) => ({ payeeId: id, name, sentence: problems.get(id) ?? "" }));
  return { done: chosen.size - problems.size, kept };
}

/** Only the organisation's own payees: nothing is revealed about another organisation's. */
const findNames = ({ db }: WriteServices, { organizationId }: Actor, ids: readonly string[]) =>
  db
    .select({ id: payees.id, name: payees.name })
    .from(payees)
    .where(
      and(
        eq(payees.organizationId, organizationId),
        sql`${payees.id} IN (SELECT "value" FROM json_each(${JSON.stringify(ids)}))`,
      ),
    );

/** Restores an archived payee, untrusted until a person verifies or whitelists it. @throws AppError 404; 409 */
export async function restorePayee(services: WriteServices, actor: Actor, payeeId: string): Promise<void> {
  const payee = await getPayee(services, actor, payeeId);
  if (payee.archivedAt === null) return;
  const { ok } = await runCommand(services, actor, {
    conditions: [payeeIsUnchanged(services, actor.organizationId, payee)],
    statements: [change(services, payee, { archivedAt: null })],
    audit: [{ action: "payee.restored", entityId: payeeId }],
  });
  if (!ok) throw changedMeanwhile();
}

const change = ({ db, clock }: TimedServices, payee: PayeeRow, set: Partial<PayeeRow>) =>
  db
    .update(payees)
    .set({ ...set, version: payee.version + 1, updatedAt: clock.now() })
    .where(and(eq(payees.organizationId, payee.organizationId), eq(payees.id, payee.id)));

const nothingUnfinished = (organizationId: string, payeeId: string) => ({
  name: "payments_unfinished" as const,
  found: sql`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM ${paymentRecords} WHERE ${paymentRecords.organizationId} = ${organizationId}
    AND ${paymentRecords.payeeId} = ${payeeId} AND ${paymentRecords.status} IN ${UNFINISHED})`,
});

const payeeInUse = () =>
  new AppError(
    "PAYEE_IN_USE",
    "A payment to this payee is held or has no outcome yet. Reject it or record its outcome, then archive the payee.",
  );

const changedMeanwhile = () =>
  new AppError("EDIT_CONFLICT", "Someone changed this payee at the same moment. Look again, then decide.");

/**
 * "3 payees archived, 1 stayed as it was." The list of reasons may be shorter than that number, because nothing is
 * revealed about another organisation's payees.
 */
export function actedWords(done: number, chosen: number, verb: "archived" | "restored"): string {
  const changed = `${done} ${done === 1 ? "payee" : "payees"} ${verb}`;
  const stayed = chosen - done;
  return stayed === 0 ? changed : `${changed}, ${stayed} stayed as ${stayed === 1 ? "it was" : "they were"}`;
}
