import { invoices } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import type { Actor } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { maskAccountNumber } from "~/kernel/bank-account";
import { requireLiveSubscription } from "~/modules/accounts/billing/subscription.server";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { atOneInstant, runCommand, runOnce } from "~/modules/core/commands/run-command.server";
import { fingerprintPayee } from "~/modules/core/payee-fingerprint.server";
import { openOrAcceptVouching, prepareVerification } from "~/modules/payees/open-verification.server";
import { accountIsFree, accountTaken, insertPayees, requireFreeAccount } from "~/modules/payees/payee.server";
import type { Services, WriteServices } from "~/services";
import { alreadyDecided } from "./decide-invoice.server";
import { getInvoice, invoiceChanged, invoiceIsUnchanged } from "./invoice.server";
import { findPayeeDetails, isOfNewAccount } from "./invoice-page.server";

/**
 * Opens a verification of the bank details on an invoice, as a separate payee that nobody trusts yet. The verified
 * payee keeps its account, and payments to it continue: a document never overwrites anything. Only contacts that were
 * on record before are asked about the new account.
 *
 * @throws AppError 404; 400 when the invoice has no account of its own; 402 SUBSCRIPTION_REQUIRED; 409 ALREADY_DECIDED
 * when a person stopped it, DUPLICATE_PAYEE, INVOICE_CHANGED
 */
export async function verifyNewDetails(
  services: WriteServices & Pick<Services, "secrets">,
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
        400,
        "Nothing on this invoice can be verified: it names no account that is new here.",
      );
    await requireLiveSubscription(services, organizationId);
    await requireFreeAccount(services, organizationId, details);
    const digests = await fingerprintPayee(services, details);
    const prepared = await prepareVerification(services, actor, { payeeId, details, cause: "payee_added" });
    const { verificationId } = prepared;
    const still = atOneInstant(services);
    const result = await openOrAcceptVouching(still, actor, prepared, { policy }, ({ conditions, parts }) =>
      runCommand(still, actor, {
        conditions: [
          invoiceIsUnchanged(still, organizationId, invoice),
          accountIsFree(organizationId, details),
          ...conditions,
        ],
        uniques: { account_taken: "payees" },
        statements: [
          ...insertPayees(still, actor, [{ id: payeeId, details, ...digests }]),
          still.db
            .update(invoices)
            .set({ addedPayeeId: payeeId, version: sql`${invoices.version} + 1`, updatedAt: still.clock.now() })
            .where(and(eq(invoices.organizationId, organizationId), eq(invoices.id, invoiceId))),
        ],
        parts,
        audit: [
          {
            action: "payee.added",
            entityType: "payee",
            entityId: payeeId,
            details: { ...details, accountNumber: maskAccountNumber(details.accountNumber) },
          },
          {
            action: "invoice.payee_added",
            entityType: "invoice",
            entityId: invoiceId,
            details: { payeeId, verificationId },
          },
        ],
        request,
        answer: { payeeId, verificationId },
      }),
    );
    if (result.ok) return result.answer;
    throw result.refused === "invoice_changed"
      ? invoiceChanged()
      : await accountTaken(services, organizationId, details);
  });
}
