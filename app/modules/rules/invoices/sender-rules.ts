import { DAY_MS, formatDate } from "~/kernel/dates";
import { NEW_DOMAIN_DAYS } from "~/kernel/domain-name";
import { emailDomain, isFreeMailDomain } from "~/kernel/email";
import type { InvoiceRule } from "./facts";
import { identifyPayee } from "./verdict";

/** Findings about the email that brought the invoice: what its header says and what the platform checked. */

export const senderLookalike: InvoiceRule = {
  id: "sender_lookalike",
  label: "The sender's domain looks like a known one",
  version: 2,
  defaultLevel: "hold",
  find({ sender }) {
    if (!sender?.lookalikeOf) return undefined;
    return {
      message: `The email came from ${emailDomain(sender.address)}. You know ${sender.lookalikeOf}, which looks similar.`,
      evidence: { domain: emailDomain(sender.address), known: sender.lookalikeOf },
    };
  },
};

export const authenticationFailed: InvoiceRule = {
  id: "authentication_failed",
  label: "The email failed its sender's domain check",
  version: 1,
  defaultLevel: "warn",
  find({ sender }) {
    if (sender?.authentication !== "fail") return undefined;
    return {
      message: `The email names ${sender.address} as its sender. It failed the check of that domain (DMARC): somebody else may have sent it.`,
      evidence: { domain: emailDomain(sender.address) },
    };
  },
};

/** Services that send invoices for others name the address of their customer too, so it only warns. */
export const senderShownAsAnother: InvoiceRule = {
  id: "sender_shown_as_another",
  label: "The sender's name is another address",
  version: 1,
  defaultLevel: "warn",
  find({ sender }) {
    if (!sender?.shownAs) return undefined;
    return {
      message: `Mail programs show the sender as ${sender.shownAs}. The email came from ${sender.address}.`,
      evidence: { domain: emailDomain(sender.address), shown: sender.shownAs },
    };
  },
};

/** True for the payee's own address or domain. At a free provider only the whole address is the payee's. */
const isOwn = (email: string, address: string): boolean =>
  email.toLowerCase() === address ||
  (emailDomain(email) === emailDomain(address) && !isFreeMailDomain(emailDomain(address)));

/** Services that send invoices for others have the answers sent to the supplier, whom a criminal would not want answered. */
export const replyToElsewhere: InvoiceRule = {
  id: "reply_to_elsewhere",
  label: "Answers would go to another domain",
  version: 2,
  defaultLevel: "warn",
  find(facts) {
    const { sender } = facts;
    if (!sender?.replyTo || emailDomain(sender.replyTo) === emailDomain(sender.address)) return undefined;
    if (sender.isReplyToKnown || isOwn(identifyPayee(facts)?.payee.email ?? "", sender.replyTo)) return undefined;
    return { message: `The email is from ${sender.address}. An answer to it would go to ${sender.replyTo}.` };
  },
};

export const senderNew: InvoiceRule = {
  id: "sender_new",
  label: "The sender's domain is new",
  version: 2,
  defaultLevel: "off",
  find(facts) {
    const { sender } = facts;
    if (!sender?.isNew) return undefined;
    const domain = emailDomain(sender.address);
    const name = identifyPayee(facts)?.payee.name;
    if (isFreeMailDomain(domain))
      return name
        ? { message: `No invoice that is surely from ${name} came from ${sender.address} before.` }
        : undefined;
    const before = name ? ` No invoice that is surely from ${name} came from there before.` : "";
    return { message: `None of your payees has the domain ${domain}.${before}` };
  },
};

export const senderDomainNew: InvoiceRule = {
  id: "sender_domain_new",
  label: "The sender's domain is newly registered, or not registered",
  version: 1,
  defaultLevel: "warn",
  find({ sender, now, timeZone }) {
    const { domain, registration } = sender?.against ?? {};
    if (!domain || !registration) return undefined;
    const { since, lookedUpAt } = registration;
    const evidence = { domain, registeredAt: since, lookedUpAt };
    if (since === null) {
      const on = formatDate(lookedUpAt, timeZone);
      return { message: `The sender's domain ${domain} was not registered on ${on}.`, evidence };
    }
    const days = Math.floor((now - since) / DAY_MS);
    if (days >= NEW_DOMAIN_DAYS) return undefined;
    const ago = days === 1 ? "1 day" : `${days} days`;
    const message = `The sender's domain ${domain} was registered on ${formatDate(since, timeZone)}, ${ago} before this invoice was read.`;
    return { message, evidence };
  },
};

/** Off by default: many honest suppliers have no DMARC policy. */
export const senderDomainWithoutDmarc: InvoiceRule = {
  id: "sender_domain_without_dmarc",
  label: "The sender's domain has no DMARC policy",
  version: 2,
  defaultLevel: "off",
  find({ sender, timeZone }) {
    const { domain, noDmarc } = sender?.against ?? {};
    if (!domain || !noDmarc) return undefined;
    const { hadAt, lookedUpAt } = noDmarc;
    const had = hadAt === undefined ? "" : ` It had one, last seen on ${formatDate(hadAt, timeZone)}.`;
    return {
      message: `The sender's domain ${domain} had no valid DMARC policy on ${formatDate(lookedUpAt, timeZone)}, so anyone can send email in its name.${had}`,
      evidence: { domain, lookedUpAt, hadAt: hadAt ?? null },
    };
  },
};
