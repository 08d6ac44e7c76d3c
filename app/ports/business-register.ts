/** An ABN's entry in the Australian Business Register. */
export type RegisterEntry = {
  abn: string;
  /**
   * As the register spells it: "SURNAME, GIVEN OTHER" of a sole trader, "The Trustee for ..." of a trust. Null: it gives none,
   * as of entities whose details are withheld.
   */
  entityName: string | null;
  isActive: boolean;
  /** When this status began: an ISO date, or null if the register does not say. */
  statusFrom: string | null;
  /** "Australian Private Company"; empty where it is withheld. */
  entityType: string;
  acn: string | null;
  /** When it was registered for GST: an ISO date; null: not registered. */
  gstFrom: string | null;
  /** Registered business names. Trading names have not been collected since 2012. */
  businessNames: string[];
  state: string | null;
  postcode: string | null;
};

/** An entity whose name resembles the searched one. */
export type NameHit = { abn: string; name: string; isActive: boolean; state: string | null; postcode: string | null };

/**
 * The Australian Business Register. Both calls throw `UpstreamError` if the register gives no answer, which says
 * nothing about the ABN.
 */
export interface BusinessRegister {
  /** @param abn eleven digits @returns null when the register has no such ABN */
  findByAbn(abn: string): Promise<RegisterEntry | null>;
  /** @returns the best hits first, at most ten */
  findByName(name: string): Promise<NameHit[]>;
}
