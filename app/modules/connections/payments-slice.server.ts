import type { Statement } from "@db/client";
import { insertRows } from "@db/insert-rows";
import { accountingPayments } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import { type ConnectableSystem, SYSTEM_NAMES } from "~/kernel/accounting-system";
import type { SystemActor } from "~/kernel/actor";
import type { CommandAudit, CommandPart } from "~/modules/core/commands/run-command.server";
import { countSuccess, movePayment, paymentIsUnchanged } from "~/modules/payments/move-payment.server";
import { queueRemittances } from "~/modules/payments/remittances.server";
import type { AccountingPayment } from "~/ports/accounting";
import type { ReadServices, Services, WriteServices } from "~/services";
import { findContacts } from "./integration.server";
import { type JudgedPayment, judgePayments, type SeenPayment } from "./judge-payments.server";
import { NO_COUNTS } from "./sync-counts";
import type { SyncSlice } from "./sync-slice.server";

type Owner = { organizationId: string; system: ConnectableSystem };
type Outcome = JudgedPayment & { record: NonNullable<JudgedPayment["record"]> };

/**
 * One page of payments. What was reconciled and paid to the payee's current account is the outcome of the payment recorded
 * here that it belongs to, once; without such a payment it is kept as seen, which counts for nothing.
 */
export async function paymentsSlice(
  services: WriteServices,
  actor: SystemActor,
  { system, payments }: { system: ConnectableSystem; payments: readonly AccountingPayment[] },
): Promise<SyncSlice> {
  const { organizationId } = actor;
  const owner = { organizationId, system };
  const contactIds = [...new Set(payments.map(({ contactId }) => contactId))];
  const contacts = await findContacts(services, owner, { system, contactIds });
  const judged = await judgePayments(services, owner, { payments, contacts });
  const outcomes = judged.filter((each): each is Outcome => each.record !== null && each.row.state === "outcome");
  const paid = outcomes.map(({ record }) => record.id);
  return {
    conditions: outcomes.map(({ record }) => paymentIsUnchanged(services, organizationId, record)),
    statements: [
      ...outcomes.map(({ row, record }) => countSuccess(services, organizationId, row.payeeId, record.processedAt)),
      ...replacePayments(
        services,
        owner,
        judged.map(({ row }) => row),
      ),
    ],
    audit: judged.flatMap(({ row }) => auditOfDeleted(row)),
    parts: [
      ...outcomes.map((outcome) => endOne(services, actor, system, outcome)),
      await queueRemittances(services, organizationId, paid),
    ],
    counts: { ...NO_COUNTS, outcomes: outcomes.length },
  };
}

function endOne(
  services: Pick<Services, "db" | "clock" | "ids">,
  actor: SystemActor,
  system: ConnectableSystem,
  { row, record }: Outcome,
): CommandPart {
  return movePayment(services, actor, {
    payment: record,
    to: "successful",
    reason: `${SYSTEM_NAMES[system]} has reconciled it with the bank statement`,
    action: "payment.succeeded",
    details: { processedAt: record.processedAt, system, accountingPaymentId: row.paymentId },
    set: { processedAt: record.processedAt, failureReason: null },
  });
}

/** Money that was counted and is deleted there: a person asks the bank. The status stays, because nobody knows better. */
function auditOfDeleted({ state, recordId, system, amount, billNumber }: SeenPayment): CommandAudit[] {
  if (state !== "deleted" || recordId === null) return [];
  const details = { system, amount, billNumber };
  return [{ action: "payment.accounting_deleted", entityType: "payment", entityId: recordId, details }];
}

function replacePayments(
  { db }: ReadServices,
  { organizationId, system }: Owner,
  rows: readonly SeenPayment[],
): Statement[] {
  if (rows.length === 0) return [];
  const ids = JSON.stringify(rows.map(({ paymentId }) => paymentId));
  const former = and(
    eq(accountingPayments.organizationId, organizationId),
    eq(accountingPayments.system, system),
    sql`${accountingPayments.paymentId} IN (SELECT value FROM json_each(${ids}))`,
  );
  return [db.delete(accountingPayments).where(former), ...insertRows(db, accountingPayments, rows)];
}
