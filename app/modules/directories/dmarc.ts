/**
 * Reads a domain's DMARC record, which says what receivers should do with email that fails authentication (RFC 7489).
 * Pure.
 */

const POLICIES = ["none", "quarantine", "reject"] as const;
type DmarcPolicy = (typeof POLICIES)[number];

export type Dmarc =
  | {
      state: "policy";
      policy: DmarcPolicy;
      /** The domain that the record belongs to: the email domain itself, or the registered domain above it. */
      of: string;
      /** The percentage of failing email that the policy applies to: 100 unless the record says less; 0 for a test. */
      percent: number;
    }
  /** `several`: more than one record; `malformed`: no known policy. Receivers ignore the record in both cases. */
  | { state: "none" | "several" | "malformed" };

/** A text is a record if this is its first tag, case-sensitive (section 6.3). */
const IS_RECORD = /^\s*v\s*=\s*DMARC1\s*(?:;|$)/;
const WHOLE = 100;

/** The DMARC records among a name's TXT records, which also include others. */
const recordsIn = (texts: readonly string[]): string[] => texts.filter((text) => IS_RECORD.test(text));

/** True if the search ends here: it continues to higher domains only when there is no record at all. */
export const hasDmarc = (texts: readonly string[]): boolean => recordsIn(texts).length > 0;

/** `psd=n`: no higher domain belongs to the same organisation. */
export const isTopOfOrganization = (texts: readonly string[]): boolean =>
  recordsIn(texts).some((record) => tagsOf(record)?.get("psd")?.toLowerCase() === "n");

/**
 * Reads the TXT records of `_dmarc.` and a domain.
 *
 * @param of the domain of the records
 * @param isBelow the email domain is a subdomain of it, so that a policy for subdomains takes precedence
 */
export function readDmarc(texts: readonly string[], of: string, isBelow = false): Dmarc {
  const [record, ...others] = recordsIn(texts);
  if (record === undefined) return { state: "none" };
  if (others.length > 0) return { state: "several" };
  const tags = tagsOf(record);
  if (!tags) return { state: "malformed" };
  const p = policyIn(tags.get("p"));
  const sp = tags.has("sp") ? policyIn(tags.get("sp")) : p;
  // Section 6.6.3, step 6: a record that only asks for reports counts as a policy of "none".
  const asksForReports = /^\s*mailto:[^\s,@]+@[^\s,@]+/i.test(tags.get("rua") ?? "");
  const isWhole = p !== undefined && sp !== undefined;
  const policy = isWhole ? (isBelow ? sp : p) : asksForReports ? "none" : undefined;
  return policy === undefined ? { state: "malformed" } : { state: "policy", policy, of, percent: percentIn(tags) };
}

/** The tags by name; undefined when one appears twice (RFC 6376, section 3.2). Malformed tags are ignored. */
function tagsOf(record: string): Map<string, string> | undefined {
  const tags = new Map<string, string>();
  for (const part of record.split(";")) {
    const [, name, value] = /^\s*([a-z][a-z0-9_]*)\s*=\s*(.*?)\s*$/is.exec(part) ?? [];
    if (name === undefined || value === undefined) continue;
    if (tags.has(name.toLowerCase())) return undefined;
    tags.set(name.toLowerCase(), value);
  }
  return tags;
}

const policyIn = (value: string | undefined): DmarcPolicy | undefined =>
  POLICIES.find((policy) => policy === value?.toLowerCase());

/** `t=y` in the newer standard (RFC 9989) marks a test; `pct` in the older one is a percentage. */
function percentIn(tags: ReadonlyMap<string, string>): number {
  if (tags.get("t")?.toLowerCase() === "y") return 0;
  const share = tags.get("pct") ?? "";
  return /^\d{1,3}$/.test(share) && Number(share) <= WHOLE ? Number(share) : WHOLE;
}
