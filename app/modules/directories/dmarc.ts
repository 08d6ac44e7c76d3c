/** What a domain asks receivers to do with email that only pretends to come from it (RFC 7489). Pure. */

const POLICIES = ["none", "quarantine", "reject"] as const;
type DmarcPolicy = (typeof POLICIES)[number];

export type Dmarc =
  | {
      state: "policy";
      policy: DmarcPolicy;
      /** The domain whose record it is: its own, or the one it was registered under. */
      of: string;
      /** Of how much of its email it asks this: 100 unless the record says less; 0 where it is a test only. */
      percent: number;
    }
  /** `several`: more than one record, and `malformed`: one that asks nothing that is known. Receivers take both for none. */
  | { state: "none" | "several" | "malformed" };

/** A text is a record when this is its first tag, letter by letter (section 6.3). */
const IS_RECORD = /^\s*v\s*=\s*DMARC1\s*(?:;|$)/;
const WHOLE = 100;

/** The DMARC records among the texts of a name: one is none yet, others live there too. */
const recordsIn = (texts: readonly string[]): string[] => texts.filter((text) => IS_RECORD.test(text));

/** Whether the search ends here: it goes on to the domains above only where there is no record at all. */
export const hasDmarc = (texts: readonly string[]): boolean => recordsIn(texts).length > 0;

/** `psd=n`: no domain further up belongs to the same organisation. */
export const isTopOfOrganization = (texts: readonly string[]): boolean =>
  recordsIn(texts).some((record) => tagsOf(record)?.get("psd")?.toLowerCase() === "n");

/**
 * Reads the texts of `_dmarc.` a domain.
 *
 * @param of the domain at which they stand
 * @param isBelow what is asked about is below it, so that its policy for subdomains holds where it has one
 */
export function readDmarc(texts: readonly string[], of: string, isBelow = false): Dmarc {
  const [record, ...others] = recordsIn(texts);
  if (record === undefined) return { state: "none" };
  if (others.length > 0) return { state: "several" };
  const tags = tagsOf(record);
  if (!tags) return { state: "malformed" };
  const p = policyIn(tags.get("p"));
  const sp = tags.has("sp") ? policyIn(tags.get("sp")) : p;
  // Section 6.6.3, step 6: a record that asks for reports only counts as one that asks for nothing else.
  const asksForReports = /^\s*mailto:[^\s,@]+@[^\s,@]+/i.test(tags.get("rua") ?? "");
  const isWhole = p !== undefined && sp !== undefined;
  const policy = isWhole ? (isBelow ? sp : p) : asksForReports ? "none" : undefined;
  return policy === undefined ? { state: "malformed" } : { state: "policy", policy, of, percent: percentIn(tags) };
}

/** The tags by name; undefined where one is there twice (RFC 6376, section 3.2). What is no tag is left out. */
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

/** `t=y` of the newer standard (RFC 9989) says that the policy is a test; `pct` of the older one is a share. */
function percentIn(tags: ReadonlyMap<string, string>): number {
  if (tags.get("t")?.toLowerCase() === "y") return 0;
  const share = tags.get("pct") ?? "";
  return /^\d{1,3}$/.test(share) && Number(share) <= WHOLE ? Number(share) : WHOLE;
}
