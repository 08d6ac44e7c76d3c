import { payeeChanges } from "@db/schema";
import { and, asc, eq, gte, inArray } from "drizzle-orm";
import type { Email } from "~/emails/templates";
import { maskAccountNumber } from "~/kernel/account-number";
import type { Actor } from "~/kernel/actor";
import { formatDateTime } from "~/kernel/dates";
import { CONTACT_FIELDS } from "~/kernel/payee";
import { sendToOutsidersAsAllowed, type Told } from "~/modules/notifications/outside-messages.statements.server";
import { findPolicy } from "~/modules/organizations/policies/policy.queries.server";
import type { NotifyServices, ReadServices } from "~/services";
import { bankDetailsChangedText, contactChangedText } from "./change-texts";
import type { Edit } from "./edit-payee.statements.server";
import { type Contacts, contactsSince, recentContacts } from "./recent-contacts";

/** What the payee is sent about an edit: nothing unless bank details or a contact changed. Colleagues are told by alerts. */
export async function prepareChangeNotices(services: NotifyServices, actor: Actor, edit: Edit): Promise<Told> {
  const { bankDetailsChanged } = edit.decision;
  const isContactReplaced = edit.decision.changes.some(isReplacedContact);
  if (!bankDetailsChanged && !isContactReplaced) return { conditions: [], parts: [] };
  const { timeZone } = await findPolicy(services, actor.organizationId);
  const changedOn = formatDateTime(services.clock.now(), timeZone);
  return bankDetailsChanged
    ? tellOfBankDetails(services, actor, edit, changedOn)
    : tellOfContactChange(services, actor, edit, changedOn);
}

const isReplacedContact = ({ field, from }: { field: string; from: string | null }) =>
  from !== null && (CONTACT_FIELDS as readonly string[]).includes(field);

/** The payee, under every address and mobile that was its contact lately: one of them is the real payee's. */
async function tellOfBankDetails(services: NotifyServices, actor: Actor, { payee, next }: Edit, changedOn: string) {
  const contacts = await findRecentContacts(services, actor, payee, services.clock.now());
  const data = {
    organizationName: actor.organizationName,
    payeeName: payee.name,
    changedOn,
    maskedAccount: maskAccountNumber(next.accountNumber),
  };
  const email = { template: "payeeDetailsChanged", data } as const;
  return tellContacts(services, actor, contacts, { email, text: bankDetailsChangedText(data) });
}

/** The contact that the payee had before: a fraudster who takes a payee over first makes themselves its contact. */
async function tellOfContactChange(services: NotifyServices, actor: Actor, { payee }: Edit, changedOn: string) {
  const data = { organizationName: actor.organizationName, payeeName: payee.name, changedOn };
  const email = { template: "payeeContactChanged", data } as const;
  return tellContacts(services, actor, recentContacts(payee, []), { email, text: contactChangedText(data) });
}

function tellContacts(
  services: NotifyServices,
  { organizationId }: Actor,
  { emails, mobiles }: Contacts,
  message: { email: Email; text: string },
): Promise<Told> {
  const kind = "change_notice" as const;
  return sendToOutsidersAsAllowed(services, organizationId, [
    ...emails.map((to) => ({ kind, to, channel: "email" as const, email: message.email })),
    ...mobiles.map((to) => ({ kind, to, channel: "sms" as const, body: message.text })),
  ]);
}

/** Everyone whom an edit tells outside the organisation. @param now epoch milliseconds */
export async function findTold(
  services: ReadServices,
  actor: { organizationId: string },
  { payee, decision, now }: Pick<Edit, "payee" | "decision"> & { now: number },
): Promise<Contacts> {
  if (decision.bankDetailsChanged) return findRecentContacts(services, actor, payee, now);
  return decision.changes.some(isReplacedContact) ? recentContacts(payee, []) : { emails: [], mobiles: [] };
}

/** Every person to tell of changed bank details. @param now epoch milliseconds */
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
