import { invoiceSettings } from "@db/database";
import { eq } from "drizzle-orm";
import * as z from "zod";
import { AppError } from "~/kernel/app-error";
import { isEmail, normalizeEmail } from "~/kernel/email";
import type { AuditEntry } from "~/modules/core/audit/audit";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { Actor, ReadServices, Services, WriteServices } from "~/services-and-actor";
import { changeSettings } from "./invoice-settings.server";

/** The address at which an organisation receives invoices, and who receives the verdicts by email. */

const MAX_SENDERS = 50;
/** 32 letters carry 128 bits, which cannot be guessed. */
const KEY_LENGTH = 32;

const TOO_MANY = `At most ${MAX_SENDERS} addresses`;

export const mailSendersSchema = z.object({
  mailSenders: z
    .string()
    .default("")
    .transform((text) => [
      ...new Set(
        text
          .split(/[\s,;]+/)
          .map(normalizeEmail)
          .filter(Boolean),
      ),
    ])
    .superRefine((addresses, context) => {
      if (addresses.length > MAX_SENDERS) context.addIssue({ code: "custom", message: TOO_MANY });
      for (const address of addresses.filter((each) => !isEmail(each)).slice(0, 3))
        context.addIssue({ code: "custom", message: `${address.slice(0, 80)} is not an email address` });
    }),
});

/**
 * The settings for invoices by email: null where this installation receives no email; the address is null while the
 * feature is off.
 */
export async function findMailSettings(services: ReadServices & Pick<Services, "config">, organizationId: string) {
  const { invoiceMailDomain } = services.config;
  if (invoiceMailDomain === undefined) return null;
  const [row] = await services.db
    .select({ mailKey: invoiceSettings.mailKey, mailSenders: invoiceSettings.mailSenders })
    .from(invoiceSettings)
    .where(eq(invoiceSettings.organizationId, organizationId));
  const address = row?.mailKey ? `${row.mailKey}@${invoiceMailDomain}` : null;
  return { address, mailSenders: row?.mailSenders ?? [] };
}

type MailAct = "invoice.mail_switched_on" | "invoice.mail_replaced" | "invoice.mail_switched_off";

/** Gives the organisation a new address. Its former address stops receiving. */
export async function renewMailAddress(services: WriteServices, actor: Actor): Promise<void> {
  const settings = await findMailSettings(services, actor.organizationId);
  if (!settings) throw new AppError("INVOICE_MAIL_NOT_CONFIGURED", "Receiving invoices by email is not set up here.");
  const mailKey = (await services.secrets.hashToken(services.ids.secret())).slice(0, KEY_LENGTH);
  const action: MailAct = settings.address === null ? "invoice.mail_switched_on" : "invoice.mail_replaced";
  await change(services, actor, { mailKey }, { action, ...ofOrganization(actor) });
}

/** Turns the organisation's address off. Invoices that arrived stay. */
export async function switchMailOff(services: WriteServices, actor: Actor): Promise<void> {
  await change(services, actor, { mailKey: null }, { action: "invoice.mail_switched_off", ...ofOrganization(actor) });
}

/** Sets the addresses, apart from members', that receive verdicts. */
export async function nameMailSenders(services: WriteServices, actor: Actor, mailSenders: string[]): Promise<void> {
  const entry = { action: "invoice.mail_senders_changed", details: { addresses: mailSenders } } as const;
  await change(services, actor, { mailSenders }, { ...entry, ...ofOrganization(actor) });
}

const ofOrganization = ({ organizationId }: Actor) =>
  ({ entityType: "organization", entityId: organizationId }) as const;

const change = (
  services: WriteServices,
  actor: Actor,
  changed: Parameters<typeof changeSettings>[2],
  entry: AuditEntry,
) =>
  runCommand(services, actor, {
    statements: [changeSettings(services, actor.organizationId, changed)],
    audit: [entry],
  });
