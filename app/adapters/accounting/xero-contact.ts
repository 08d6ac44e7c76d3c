import type * as z from "zod";
import { parseAbn } from "~/kernel/abn";
import type { AccountingContact, ContactEdit } from "~/ports/accounting";
import type { historySchema, XeroContact } from "./xero-schema";

const present = (text: string | null | undefined): string | null => text?.trim() || null;

/**
 * One contact in our terms. The account that Xero puts into a batch payment counts before the one of the contact's
 * details: it is the one that is paid.
 */
export function toContact(contact: XeroContact): AccountingContact {
  const { BatchPayments: batch } = contact;
  const account = present(batch?.BankAccountNumber) ?? present(contact.BankAccountDetails);
  const taxNumber = present(contact.TaxNumber);
  return {
    id: contact.ContactID,
    name: contact.Name.trim(),
    email: present(contact.EmailAddress),
    phone: phoneOf(contact),
    address: addressOf(contact),
    // Xero keeps other tax numbers in the same field: only a right ABN is one.
    abn: taxNumber === null ? null : (parseAbn(taxNumber) ?? null),
    accountName: present(batch?.BankAccountName),
    account: account === null ? null : { text: account },
    isArchived: contact.ContactStatus !== undefined && contact.ContactStatus !== "ACTIVE",
  };
}

function phoneOf({ Phones: phones }: XeroContact): string | null {
  for (const type of ["DEFAULT", "MOBILE", "DDI"]) {
    const phone = phones?.find(({ PhoneType }) => PhoneType === type);
    const number = present(phone?.PhoneNumber);
    if (!phone || number === null) continue;
    const country = present(phone.PhoneCountryCode)?.replace(/\D/g, "");
    const parts = [country ? `+${country}` : null, present(phone.PhoneAreaCode), number];
    return parts.filter((part) => part !== null).join(" ");
  }
  return null;
}

function addressOf({ Addresses: addresses }: XeroContact): string | null {
  const address = addresses?.find(({ AddressType }) => AddressType === "POBOX") ?? addresses?.[0];
  if (!address) return null;
  const { AddressLine1, AddressLine2, AddressLine3, AddressLine4, City, Region, PostalCode } = address;
  const place = [City, Region, PostalCode].map(present).filter((part) => part !== null);
  const lines = [AddressLine1, AddressLine2, AddressLine3, AddressLine4, place.join(" ")];
  return present(
    lines
      .map(present)
      .filter((line) => line !== null)
      .join(", "),
  );
}

/** `/Date(1518685950940+0000)/`: epoch milliseconds, whatever the zone beside them says. */
export function parseXeroDate(text: string | null | undefined): number | undefined {
  const [, ms] = /^\/Date\((\d+)(?:[+-]\d{4})?\)\/$/.exec(text ?? "") ?? [];
  return ms === undefined ? undefined : Number(ms);
}

/** What `Changes` says when a person entered or edited the contact itself. */
const EDITS: ReadonlySet<string> = new Set(["created", "edited"]);

/**
 * The entries that say that somebody entered or edited the contact. All others ("Credit Applied", "Invoice Created", "Attached a
 * file", notes, words we do not know) name people who did something else.
 */
export const toEdits = ({ HistoryRecords: records }: z.infer<typeof historySchema>): ContactEdit[] =>
  records.flatMap(({ Changes, DateUTC, User }) => {
    const at = parseXeroDate(DateUTC);
    return at === undefined || !EDITS.has(Changes?.trim().toLowerCase() ?? "") ? [] : [{ by: present(User), at }];
  });
