import { payeeChanges } from "@db/database";
import { and, asc, eq, gte, inArray } from "drizzle-orm";
import { maskAccountNumber } from "~/kernel/bank-account";
import { formatDateTime } from "~/kernel/dates";
import { CONTACT_FIELDS, type PayeeDetails } from "~/kernel/payee";
import {
  planChangeNotices,
  type ToldOfChange,
} from "~/modules/messages/notifications/change-notices.statements.server";
import type { Actor, ReadServices, WriteServices } from "~/services-and-actor";
import type { PayeeRow } from "./payee.server";
import { type Contacts, contactsSince, type EditDecision, recentContacts } from "./payee-edit";

/** A payee as it was read, its new details, and the consequences of the change. */
export type Edit = { payee: PayeeRow; next: PayeeDetails; decision: EditDecision };

/**
 * Prepares the messages to the payee about an edit; none unless bank details or a contact changed. A change of bank
 * details is told to every recent contact, because one of them is the real payee. A replaced contact is told to the
 * former contacts, because fraudsters usually start by making themselves the contact. Colleagues are told by alerts.
 * @param verificationId the verification that the change of bank details opens; null: none
 * @param restored set when the former details are put back, either trusted at once or waiting for a decision
 */
export async function prepareChangeNotices(
  services: WriteServices,
  actor: Actor,
  { payee, next, decision }: Edit,
  verificationId: string | null,
  restored?: "trusted" | "waiting",
): Promise<ToldOfChange | undefined> {
  const { bankDetailsChanged } = decision;
  const now = services.clock.now();
  const { emails, mobiles } = await findTold(services, actor, { payee, decision, now });
  if (!bankDetailsChanged && emails.length + mobiles.length === 0) return undefined;
  return planChangeNotices(services, {
    organizationId: actor.organizationId,
    payeeId: payee.id,
    verificationId,
    subject: bankDetailsChanged ? "bank_details" : "contact",
    isTrusted: wasTrusted(payee),
    facts: {
      organizationName: actor.organizationName,
      payeeName: payee.name,
      changedOn: formatDateTime(now, actor.timeZone),
      maskedAccount: bankDetailsChanged ? maskAccountNumber(next.accountNumber) : null,
      ...(restored ? { restored } : {}),
    },
    contacts: [
      ...emails.map((recipient) => ({ channel: "email" as const, recipient })),
      ...mobiles.map((recipient) => ({ channel: "sms" as const, recipient })),
    ],
  });
}

const isReplacedContact = ({ field, from }: { field: string; from: string | null }) =>
  from !== null && (CONTACT_FIELDS as readonly string[]).includes(field);

/** True if somebody ever trusted or paid the payee, so that a change can redirect money. */
const wasTrusted = (payee: PayeeRow): boolean =>
  payee.whitelisted || payee.formerTrust !== null || payee.takenOffWhitelistAt !== null || payee.paymentCount > 0;

/** Everyone outside the organisation who is told about an edit. @param now epoch milliseconds */
export async function findTold(
  services: ReadServices,
  actor: { organizationId: string },
  { payee, decision, now }: Pick<Edit, "payee" | "decision"> & { now: number },
): Promise<Contacts> {
  if (decision.bankDetailsChanged) return findRecentContacts(services, actor, payee, now);
  return decision.changes.some(isReplacedContact) ? recentContacts(payee, []) : { emails: [], mobiles: [] };
}

/** Everybody to tell about changed bank details. @param now epoch milliseconds */
async function findRecentContacts(
  { db }: ReadServices,
  { organizationId }: { organizationId: string },
  payee: { id: string; email: string | null; phone: string | null },
  now: number,
): Promise<Contacts> {
  const changes = await db
    .select({ field: payeeChanges.field, oldValue: payeeChanges.oldValue, createdAt: payeeChanges.createdAt })
    .from(payeeChanges)
    .where(
      and(
        eq(payeeChanges.organizationId, organizationId),
        eq(payeeChanges.payeeId, payee.id),
        inArray(payeeChanges.field, [...CONTACT_FIELDS]),
        gte(payeeChanges.createdAt, contactsSince(now)),
      ),
    )
    .orderBy(asc(payeeChanges.id));
  return recentContacts(payee, changes);
}
