import { askedDomain, emailDomain, isFreeMailDomain } from "~/kernel/email";
import { findDomainAnswers, findFirstSeen } from "~/modules/directories/directory.server";
import { type DomainView, toDomainView } from "~/modules/directories/email-domain";
import type { PayeeRow } from "~/modules/payees/payee.server";
import type { Asking, ReadServices, Services } from "~/services-and-actor";
import { findLookalikeDomains } from "./evidence.server";

type Subject = Pick<PayeeRow, "id" | "email" | "abn" | "paymentCount" | "contactChangedAt">;

/** What is known about a payee's email domain; null without an address. */
export async function findPayeeDomain(services: ReadServices, { organizationId }: Asking, payee: Subject) {
  const { id, email, abn } = payee;
  if (email === null) return null;
  const domain = emailDomain(email);
  const registered = askedDomain(email)?.registered;
  const [answersOf, firstSeenAt, lookalikes] = await Promise.all([
    findDomainAnswers(services, [email]),
    registered === undefined ? undefined : findFirstSeen(services, organizationId, registered),
    findLookalikeDomains(services, organizationId, [payee]),
  ]);
  return {
    domain,
    abn,
    isFreeMail: isFreeMailDomain(domain),
    answers: answersOf(email),
    firstSeenAt,
    lookalikeOf: lookalikes.get(id)?.known,
  };
}

/** The same as pages show it. @param isLookalikeSaid the page already says which domain it resembles */
export async function readPayeeDomain(
  services: ReadServices & Pick<Services, "domainRecords" | "domainRegistry">,
  asking: Asking,
  payee: Subject,
  zone: { now: number; showDate: (ms: number) => string },
  isLookalikeSaid = false,
): Promise<DomainView | null> {
  const known = await findPayeeDomain(services, asking, payee);
  const asks = { dns: services.domainRecords !== undefined, rdap: services.domainRegistry !== undefined };
  return known && toDomainView(isLookalikeSaid ? { ...known, lookalikeOf: undefined } : known, { ...zone, asks });
}
