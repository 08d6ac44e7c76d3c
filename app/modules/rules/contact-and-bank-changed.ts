import { formatDate, toIso } from "~/kernel/dates";
import { CONTACT_AND_BANK_WINDOW_DAYS, findRedFlags, payeeStatus } from "~/kernel/payee";
import type { Rule } from "./facts";

/** Holds money where contact and bank details changed close together: the person who asked for both can answer questions about them. */
export const contactAndBankChanged: Rule = {
  id: "contact_and_bank_changed",
  label: "Contact and bank details changed within 30 days of each other",
  version: 1,
  defaultLevel: "hold",
  decidedSingly: "always",
  find({ payee, now, timeZone }) {
    if (!payee || payee.contactChangedAt === null || payee.bankDetailsChangedAt === null) return undefined;
    const trust = { ...payee, renamedAt: payee.renamedAt ?? null };
    const flags = findRedFlags(trust, payeeStatus(trust, payee.latest), now, null);
    if (!flags.includes("contact_and_bank_changed")) return undefined;
    const { bankDetailsChangedAt: bank, contactChangedAt: contact } = payee;
    const [bankOn, contactOn] = [formatDate(bank, timeZone), formatDate(contact, timeZone)];
    return {
      message: `The bank details of ${payee.name} changed on ${bankOn} and its contact details on ${contactOn}, within ${CONTACT_AND_BANK_WINDOW_DAYS} days. Confirm them on a number you knew before.`,
      evidence: { payeeId: payee.id, bankDetailsChangedAt: toIso(bank), contactChangedAt: toIso(contact) },
    };
  },
};
