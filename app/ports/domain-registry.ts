/** A domain's entry in its registry. */
export type Registration =
  /** `registeredAt` is an ISO instant; null: the registry does not publish it, like that of .au. */
  | { state: "registered"; registeredAt: string | null }
  | { state: "not_registered" }
  /** No registry answers queries about domains of this ending. */
  | { state: "no_registry" };

/**
 * The public registries of domains. Throws `UpstreamError` if there is no answer, which says nothing about the domain.
 */
export interface DomainRegistry {
  /** @param domain as it was registered, in ASCII: acme.com.au, not mail.acme.com.au */
  findRegistration(domain: string): Promise<Registration>;
}
