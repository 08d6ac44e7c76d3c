/** DNS records of a name. Both throw `UpstreamError` without an answer, which says nothing about the domain. */
export interface DomainRecords {
  /** @param name in ASCII @returns the texts of its TXT records; undefined: there is no such name */
  findTexts(name: string): Promise<string[] | undefined>;
  /** @param name in ASCII @returns the hosts of its MX records, without the dot at the end; undefined: there is no such name */
  findMailHosts(name: string): Promise<string[] | undefined>;
}

/** A domain's entry in its registry. */
export type Registration =
  /** `registeredAt` is an ISO instant; null: the registry does not publish it, like that of .au. */
  | { state: "registered"; registeredAt: string | null; registrant?: Registrant }
  | { state: "not_registered" }
  /** No registry answers queries about domains of this ending. */
  | { state: "no_registry" };

/** Who holds a domain, which only the registry of .au publishes. */
export type Registrant = {
  name: string | null;
  /** An ABN, eleven digits with valid check digits, or an ACN, nine digits. */
  number: string;
};

/** The public registries of domains. No answer throws `UpstreamError`, which says nothing about the domain. */
export interface DomainRegistry {
  /** @param domain as it was registered, in ASCII: acme.com.au, not mail.acme.com.au */
  findRegistration(domain: string): Promise<Registration>;
}
