import { paymentFileSettings } from "@db/schema";
import { maskAccountNumber } from "~/kernel/account-number";
import type { Actor } from "~/kernel/actor";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { PaymentLimits } from "~/modules/payments/payment-facts/payment-limits";
import type { WriteServices } from "~/services";
import type { PayerDetails } from "./payer";

type Columns = Partial<typeof paymentFileSettings.$inferInsert>;

/** Says which account pays, for cleared files that are made from a table. */
export async function changePayer(services: WriteServices, actor: Actor, payer: PayerDetails): Promise<void> {
  const { accountNumber, ...rest } = payer;
  await change(services, actor, { payer }, { payer: { ...rest, accountNumber: maskAccountNumber(accountNumber) } });
}

/** Sets how much each role may approve of one payment, and when the organisation works. */
export async function changeLimits(services: WriteServices, actor: Actor, limits: PaymentLimits): Promise<void> {
  const { workingHours, ...cents } = limits;
  const hours = {
    opensAtMinute: workingHours?.opensAtMinute ?? null,
    closesAtMinute: workingHours?.closesAtMinute ?? null,
    worksWeekends: workingHours?.worksWeekends ?? true,
  };
  await change(services, actor, { ...cents, ...hours }, limits);
}

/** Says whether payees are told by email of payments that were made to them. */
export async function changeRemittances(services: WriteServices, actor: Actor, sendsRemittances: boolean) {
  await change(services, actor, { sendsRemittances }, { sendsRemittances });
}

async function change(services: WriteServices, actor: Actor, set: Columns, details: Record<string, unknown>) {
  const { db, clock } = services;
  const { organizationId } = actor;
  const row = { ...set, updatedAt: clock.now() };
  await runCommand(services, actor, {
    statements: [
      db
        .insert(paymentFileSettings)
        .values({ organizationId, ...row })
        .onConflictDoUpdate({ target: paymentFileSettings.organizationId, set: row }),
    ],
    audit: [
      {
        action: "payment_file.settings_changed",
        entityType: "organization",
        entityId: organizationId,
        details,
      },
    ],
    answer: undefined,
  });
}
