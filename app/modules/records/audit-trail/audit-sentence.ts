import { formatAud } from "~/kernel/money";
import type { AuditAction } from "~/modules/core/audit/audit";
import type { AuditRow } from "~/modules/core/audit/entry";
import { type AuditNames, ended, numberOf, textOf } from "./details";
import { ORGANIZATION_SENTENCES } from "./organization-sentences";
import { PAYEE_SENTENCES } from "./payee-sentences";
import { PAYMENT_SENTENCES } from "./payment-sentences";
import { PEOPLE_SENTENCES, type Say } from "./people-sentences";
import { VERIFICATION_SENTENCES } from "./verification-sentences";

/** What an entry of the audit trail says, in one sentence. Pure. */

const SENTENCES: Readonly<Record<AuditAction, Say>> = {
  ...PEOPLE_SENTENCES,
  ...ORGANIZATION_SENTENCES,
  ...PAYEE_SENTENCES,
  ...VERIFICATION_SENTENCES,
  ...PAYMENT_SENTENCES,
};

/** What a sentence needs of an entry; email addresses in the details may be masked already. */
export type Told = Pick<AuditRow, "action" | "entityType" | "entityId" | "userId" | "details">;

/** The system, acting by rule. */
const SYSTEM = "PayeeProof";

/**
 * "Mira Okafor changed the bank details of Acme from 062-000 •••••678 to 082-001 •••••999." An action of an older
 * version that has no sentence any more is said as it is stored.
 */
export function auditSentence(entry: Told, names: AuditNames): string {
  const { action, userId } = entry;
  const who = userId === null ? SYSTEM : (names.people.get(userId) ?? "A former member");
  const person = names.people.get(entry.entityId ?? "") ?? "a person";
  const details = entry.details ?? {};
  if (!Object.hasOwn(SENTENCES, action)) return `${who}: ${action.replaceAll(/[._]/g, " ")}.`;
  const said = SENTENCES[action as AuditAction]({ who, person, thing: thingOf(entry, names), details });
  return ended(said.charAt(0).toUpperCase() + said.slice(1));
}

function thingOf({ entityType, entityId, details }: Told, names: AuditNames): string {
  const id = entityId ?? "";
  switch (entityType) {
    case "payee":
      return names.payees.get(id) ?? (textOf(details?.name) || "a payee");
    case "verification":
      return names.verifications.get(id) ?? "a payee";
    case "payment":
      return paymentThing(id, details, names);
    case "payment_file":
      return names.files.get(id) ?? (textOf(details?.name) || "a payment file");
    case "import":
      return textOf(details?.name) || "a file of payees";
    default:
      return "";
  }
}

/** "the payment of $1,234.50 to Acme". */
function paymentThing(id: string, details: Told["details"], names: AuditNames): string {
  const known = names.payments.get(id);
  const amount = known?.amount ?? numberOf(details?.amount);
  const name = known?.name ?? textOf(details?.accountName);
  return ["the payment", amount > 0 && `of ${formatAud(amount)}`, name && `to ${name}`].filter(Boolean).join(" ");
}
