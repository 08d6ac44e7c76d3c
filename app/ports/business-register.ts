/** What the business register of the Commonwealth says of an ABN. */
export type RegisterEntry = {
  abn: string;
  /**
   * As the register spells it: "SURNAME, GIVEN OTHER" of a sole trader, "The Trustee for ..." of a trust. Null: it gives none,
   * as of entities whose details are withheld.
   */
  entityName: string | null;
  isActive: boolean;
  /** Since when it is so: an ISO date, or null where the register does not say. */
  statusFrom: string | null;
  /** "Australian Private Company"; empty where it is withheld. */
  entityType: string;
  acn: string | null;
  /** Since when it is registered for GST: an ISO date; null: it is not. */
  gstFrom: string | null;
  /** Registered business names. Trading names have not been collected since 2012. */
  businessNames: string[];
  state: string | null;
  postcode: string | null;
};

/** One of the entities that have a name like the one asked for. */
export type NameHit = { abn: string; name: string; isActive: boolean; state: string | null; postcode: string | null };

/** The public register of ABNs. Both calls throw `UpstreamError` when the register gives no answer: that says nothing about the ABN. */
export interface BusinessRegister {
  /** @param abn eleven digits @returns null when the register has no such ABN */
  findByAbn(abn: string): Promise<RegisterEntry | null>;
  /** @returns the best hits first, at most ten */
  findByName(name: string): Promise<NameHit[]>;
}
