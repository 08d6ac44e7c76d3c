/** What an organisation tells about itself. Pure. */

/** The specification's fields; null: not given. */
export type OrganizationDetails = {
  name: string;
  abn: string | null;
  address: string | null;
  phone: string | null;
  contactEmail: string | null;
  website: string | null;
  /** What the organisation is called in the picker, a plain label such as "harbour". */
  subdomain: string | null;
};

export const DETAIL_FIELDS = ["name", "abn", "address", "phone", "contactEmail", "website", "subdomain"] as const;
export type DetailField = (typeof DETAIL_FIELDS)[number];

export const DETAIL_LABELS: Readonly<Record<DetailField, string>> = {
  name: "Organisation name",
  abn: "ABN",
  address: "Address",
  phone: "Phone",
  contactEmail: "Contact email",
  website: "Website",
  subdomain: "Subdomain",
};

/** The details that differ, old -> new. */
export function changedDetails(
  before: OrganizationDetails,
  after: OrganizationDetails,
): Partial<Record<DetailField, { from: string | null; to: string | null }>> {
  const changed = DETAIL_FIELDS.filter((field) => before[field] !== after[field]);
  return Object.fromEntries(changed.map((field) => [field, { from: before[field], to: after[field] }]));
}
