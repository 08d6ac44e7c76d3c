/** What the registry of an ending says of a domain. */
export type Registration =
  /** `registeredAt`: since when, an ISO instant; null: the registry does not publish it, as that of .au. */
  | { state: "registered"; registeredAt: string | null }
  | { state: "not_registered" }
  /** Nobody can be asked about domains of this ending. */
  | { state: "no_registry" };

/** The public registries of domains. Throws `UpstreamError` when there is no answer: that says nothing about the domain. */
export interface DomainRegistry {
  /** @param domain as it was registered, in ASCII: acme.com.au, not mail.acme.com.au */
  findRegistration(domain: string): Promise<Registration>;
}
