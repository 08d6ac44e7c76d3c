import { DAY_MS, formatDate } from "~/kernel/dates";
import { NEW_DOMAIN_DAYS } from "~/kernel/domain-name";
import type { Rule } from "./facts";

/** Findings from public information about the payee's email domain. One not looked up gives none. */

/** Warns of a domain that is new or unregistered: fraudsters often register one for the purpose. */
export const domainNew: Rule = {
  id: "domain_new",
  label: "The email domain is newly registered, or not registered",
  version: 1,
  defaultLevel: "warn",
  find({ payee, emailDomain, now, timeZone }) {
    const { domain, registration } = emailDomain ?? {};
    if (!payee || !domain || !registration) return undefined;
    const { since, lookedUpAt } = registration;
    const evidence = { payeeId: payee.id, domain, registeredAt: since, lookedUpAt };
    if (since === null) {
      const on = formatDate(lookedUpAt, timeZone);
      return { message: `The email domain ${domain} of ${payee.name} was not registered on ${on}.`, evidence };
    }
    const days = Math.floor((now - since) / DAY_MS);
    if (days >= NEW_DOMAIN_DAYS) return undefined;
    const ago = days === 1 ? "1 day" : `${days} days`;
    const message = `The email domain ${domain} of ${payee.name} was registered on ${formatDate(since, timeZone)}, ${ago} before this payment.`;
    return { message, evidence };
  },
};

/** Off by default: many honest suppliers have no DMARC policy. */
export const domainWithoutDmarc: Rule = {
  id: "domain_without_dmarc",
  label: "The email domain has no DMARC policy",
  version: 2,
  defaultLevel: "off",
  find({ payee, emailDomain, timeZone }) {
    const { domain, noDmarc } = emailDomain ?? {};
    if (!payee || !domain || !noDmarc) return undefined;
    const { hadAt, lookedUpAt } = noDmarc;
    const had = hadAt === undefined ? "" : ` It had one, last seen on ${formatDate(hadAt, timeZone)}.`;
    const on = formatDate(lookedUpAt, timeZone);
    return {
      message: `The email domain ${domain} of ${payee.name} had no valid DMARC policy on ${on}, so anyone can send email in its name.${had}`,
      evidence: { payeeId: payee.id, domain, lookedUpAt, hadAt: hadAt ?? null },
    };
  },
};
