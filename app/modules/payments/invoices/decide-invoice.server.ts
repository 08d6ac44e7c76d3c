import { invoices, paymentFileBytes } from "@db/database";
import { and, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { AppError, invalidInput } from "~/kernel/app-error";
import { formatDateTime } from "~/kernel/dates";
import { INVOICE_DECISIONS } from "~/kernel/enums";
import { cleanText } from "~/kernel/text";
import { requireLiveSubscription } from "~/modules/accounts/billing/subscription.server";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { atOneInstant, runCommand, runOnce } from "~/modules/core/commands/run-command.server";
import { fingerprintPayee } from "~/modules/core/payee-keys";
import { payeeToAdd } from "~/modules/payees/add-payee.server";
import { openOrAcceptVouching, prepareVerification } from "~/modules/payees/open-verification.server";
import { accountTaken, requireFreeAccount } from "~/modules/payees/payee.server";
import { MAX_REASON_LENGTH } from "~/modules/payments/payment";
import type { Actor, ReadServices, WriteServices } from "~/services-and-actor";
import { NEEDS_ANOTHER, needsReason } from "./invoice";
import { getInvoice, type InvoiceDetail, invoiceChanged, invoiceIsUnchanged, stillReading } from "./invoice.server";
import { findPayeeDetails, isOfNewAccount, isOwnInvoice } from "./invoice-page.server";

const NO_REASON = "Say who you called, and what was said";

/** The version of the invoice that the form was made from. */
export const shownVersionSchema = z.object({ version: z.coerce.number().int().optional().catch(undefined) });

/** The body of the API call, and the fields of the form. */
export const invoiceDecisionSchema = z.object({
  decision: z.enum(INVOICE_DECISIONS, "Choose what to do with it"),
  reason: z
    .string()
    .max(MAX_REASON_LENGTH, `At most ${MAX_REASON_LENGTH} characters`)
    .nullish()
    .transform((text) => (text ? cleanText(text) || null : null)),
});

/**
 * Accepts or stops an invoice. Accepting one that is stopped, or that names a new way to pay, requires a reason; and if
 * the organisation requires a second person, somebody who did not receive the invoice, nor, if it is stopped, enter the
 * payee's bank details. If two people decide at once, exactly one succeeds. Accepting an invoice does not change a payee
 * or verify an account.
 *
 * @throws AppError 404; 400 when a required reason is missing; 403 SECOND_PERSON_REQUIRED; 409 INVOICE_READING,
 * ALREADY_DECIDED, INVOICE_CHANGED
 */
export async function decideInvoice(
  services: WriteServices,
  actor: Actor,
  input: z.infer<typeof invoiceDecisionSchema> & {
    invoiceId: string;
    /** The version that the person saw; absent: the current one. */
    version?: number;
    idempotencyKey?: string;
  },
): Promise<InvoiceDetail> {
  const { invoiceId, decision, reason, version, idempotencyKey: key } = input;
  const asked = { operation: "decide invoice", key, input: [invoiceId, decision, reason] };
  await runOnce(services, actor, asked, async (request) => {
    const [invoice, { secondPersonRequired }] = await Promise.all([
      getInvoice(services, actor, invoiceId),
      findPolicy(services, actor.organizationId),
    ]);
    if (invoice.status === "reading") throw stillReading();
    if (invoice.decision !== null) throw alreadyDecided(invoice, actor.timeZone);
    if (version !== undefined && version !== invoice.version) throw invoiceChanged();
    const isAgainst = decision === "accept" && needsReason(invoice);
    if (isAgainst && reason === null) throw invalidInput({ reason: [NO_REASON] });
    const isOwn = isAgainst && (await isOwnInvoice(services, actor, invoice));
    if (isOwn && secondPersonRequired) throw secondPersonRequiredForInvoice();
    const { verdict, totalCents, findings } = invoice;
    const stops = findings.filter(({ level }) => level === "stop").length;
    const details = { reason, verdict, stops, totalCents };
    const now = services.clock.now();
    const result = await runCommand(services, actor, {
      conditions: [invoiceIsUnchanged(services, actor.organizationId, invoice)],
      statements: [
        services.db
          .update(invoices)
          .set({
            ...{ decision, decisionReason: reason, decidedById: actor.userId, decidedAt: now, updatedAt: now },
            version: sql`${invoices.version} + 1`,
          })
          .where(and(eq(invoices.organizationId, actor.organizationId), eq(invoices.id, invoiceId))),
      ],
      audit: [
        decision === "accept"
          ? {
              action: "invoice.accepted",
              entityId: invoiceId,
              details: { ...details, ...(isOwn ? { selfApproval: true } : {}) },
            }
          : { action: "invoice.rejected", entityId: invoiceId, details },
      ],
      request,
      answer: invoiceId,
    });
    if (!result.ok) throw await lostRace(services, actor, invoiceId);
    return result.answer;
  });
  return getInvoice(services, actor, invoiceId);
}

async function lostRace(services: ReadServices, actor: Actor, invoiceId: string): Promise<AppError> {
  const now = await getInvoice(services, actor, invoiceId);
  return now.decision === null ? invoiceChanged() : alreadyDecided(now, actor.timeZone);
}

export function alreadyDecided(
  { decision, decidedBy, decidedAt, decisionReason }: InvoiceDetail,
  timeZone: string,
): AppError {
  const on = decidedAt === null ? "" : ` on ${formatDateTime(decidedAt, timeZone)}`;
  const why = decisionReason ? `: ${decisionReason}` : ".";
  const message = `${decidedBy ?? "Someone"} ${decision === "accept" ? "accepted" : "stopped"} this invoice${on}${why}`;
  return new AppError("ALREADY_DECIDED", message, { extra: { decision } });
}

const secondPersonRequiredForInvoice = () => new AppError("SECOND_PERSON_REQUIRED", NEEDS_ANOTHER);

/**
 * Deletes an invoice and its bytes. A stopped invoice cannot be deleted, because it holds payments.
 * @throws AppError 404; 409 INVOICE_STOPPED, INVOICE_READING
 */
export async function deleteInvoice(services: WriteServices, actor: Actor, invoiceId: string): Promise<void> {
  const { organizationId } = actor;
  const invoice = await getInvoice(services, actor, invoiceId);
  if (invoice.status === "reading") throw stillReading();
  if (invoice.decision === "reject" || (invoice.isStopped && invoice.decision === null)) throw invoiceStopped();
  const { fileName, sha256 } = invoice;
  const result = await runCommand(services, actor, {
    conditions: [invoiceIsUnchanged(services, organizationId, invoice)],
    statements: [
      services.db
        .delete(paymentFileBytes)
        .where(and(eq(paymentFileBytes.organizationId, organizationId), eq(paymentFileBytes.ownerId, invoiceId))),
      services.db.delete(invoices).where(and(eq(invoices.organizationId, organizationId), eq(invoices.id, invoiceId))),
    ],
    audit: [{ action: "invoice.deleted", entityId: invoiceId, details: { name: fileName, sha256 } }],
  });
  if (!result.ok) throw invoiceChanged();
}

const invoiceStopped = () =>
  new AppError("INVOICE_STOPPED", "This invoice is stopped. It stays as long as the organisation keeps its records.");

/**
 * Opens a verification of the bank details on an invoice, as a separate payee that nobody trusts yet. The verified
 * payee keeps its account, and payments to it continue: a document never overwrites anything. Only contacts that were
 * on record before are asked about the new account.
 *
 * @throws AppError 404; 400 when the invoice has no account of its own; 402 SUBSCRIPTION_REQUIRED; 409 ALREADY_DECIDED
 * when a person stopped it, DUPLICATE_PAYEE, INVOICE_CHANGED
 */
export async function verifyNewDetails(
  services: WriteServices,
  actor: Actor,
  { invoiceId, idempotencyKey: key }: { invoiceId: string; idempotencyKey?: string },
): Promise<{ payeeId: string; verificationId: string }> {
  const { organizationId } = actor;
  return runOnce(services, actor, { operation: "verify new details", key, input: invoiceId }, async (request) => {
    const payeeId = services.ids.next();
    const [invoice, details, policy] = await Promise.all([
      getInvoice(services, actor, invoiceId),
      findPayeeDetails(services, actor, invoiceId),
      findPolicy(services, organizationId),
    ]);
    if (invoice.decision === "reject") throw alreadyDecided(invoice, actor.timeZone);
    if (!details || !isOfNewAccount(invoice))
      throw new AppError(
        "INVALID_INPUT",
        "There is nothing to verify: this invoice names no new account that was read in full.",
      );
    await requireLiveSubscription(services, organizationId);
    await requireFreeAccount(services, organizationId, details);
    const digests = await fingerprintPayee(services, details);
    const prepared = await prepareVerification(services, actor, { payeeId, details, cause: "payee_added" });
    const { verificationId } = prepared;
    const still = atOneInstant(services);
    const result = await openOrAcceptVouching(still, actor, prepared, { policy }, ({ conditions, parts }) => {
      const added = payeeToAdd(still, actor, { id: payeeId, details, ...digests }, conditions);
      return runCommand(still, actor, {
        ...added,
        conditions: [invoiceIsUnchanged(still, organizationId, invoice), ...added.conditions],
        statements: [
          ...added.statements,
          still.db
            .update(invoices)
            .set({ addedPayeeId: payeeId, version: sql`${invoices.version} + 1`, updatedAt: still.clock.now() })
            .where(and(eq(invoices.organizationId, organizationId), eq(invoices.id, invoiceId))),
        ],
        parts,
        audit: [
          ...added.audit,
          { action: "invoice.payee_added", entityId: invoiceId, details: { payeeId, verificationId } },
        ],
        request,
        answer: { payeeId, verificationId },
      });
    });
    if (result.ok) return result.answer;
    throw result.refused === "invoice_changed"
      ? invoiceChanged()
      : await accountTaken(services, organizationId, details);
  });
}
