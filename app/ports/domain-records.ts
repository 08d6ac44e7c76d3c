/**
 * DNS records of a name. Both throw `UpstreamError` if the DNS gives no answer, which says nothing about the domain.
 */
export interface DomainRecords {
  /** @param name in ASCII @returns the texts of its TXT records; undefined: there is no such name */
  findTexts(name: string): Promise<string[] | undefined>;
  /** @param name in ASCII @returns the hosts of its MX records, without the dot at the end; undefined: there is no such name */
  findMailHosts(name: string): Promise<string[] | undefined>;
}
