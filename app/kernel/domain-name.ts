import { domainToASCII, domainToUnicode } from "node:url";
import { normalizeText } from "./text";

// Zones under which names are registered one label further down. This is not the whole public suffix list, which
// changes weekly and takes 200 KB, but the zones that an Australian organisation's suppliers use. Elsewhere the last
// label alone is the suffix.
const SECOND_LEVEL_ZONES: ReadonlySet<string> = new Set(
  `
  com.au net.au org.au asn.au id.au edu.au gov.au csiro.au conf.au oz.au
  act.gov.au nsw.gov.au nt.gov.au qld.gov.au sa.gov.au tas.gov.au vic.gov.au wa.gov.au
  act.edu.au nsw.edu.au nt.edu.au qld.edu.au sa.edu.au tas.edu.au vic.edu.au wa.edu.au
  co.nz net.nz org.nz govt.nz ac.nz geek.nz school.nz co.uk org.uk ltd.uk plc.uk me.uk ac.uk gov.uk
  com.sg edu.sg gov.sg com.my com.hk com.cn net.cn org.cn com.tw co.jp ne.jp or.jp ac.jp co.kr or.kr co.in net.in org.in
  co.id or.id co.th in.th com.ph com.vn com.pk com.bd com.lk com.np com.fj com.pg com.br com.mx com.ar com.tr com.sa
  com.ua co.za org.za co.il com.cy com.mt
  `
    .trim()
    .split(/\s+/),
);

// Domains without anything to decode or normalise, like nearly all.
const PLAIN = /^(?!.*xn--)[\x20-\x7e]*$/;

/** A parsed domain name: `mail.acme.com.au` is the name `acme` under the suffix `com.au`. In Unicode and lower case. */
export type DomainName = {
  /** The whole name. */
  full: string;
  /** The label that a person registered. */
  name: string;
  /** The zone in which it was registered. */
  suffix: string;
  /** `name.suffix`: whoever holds it controls everything below. */
  registered: string;
  /** True if the registered label was written as an `xn--` label. */
  isEncoded: boolean;
};

/** Decodes each `xn--` label to Unicode. Invalid labels stay as they are. */
function decodeLabels(labels: readonly string[]): string {
  return labels.map((label) => (label.startsWith("xn--") && domainToUnicode(label)) || label).join(".");
}

/** Parses a domain name. A single label has an empty suffix. */
export function splitDomain(domain: string): DomainName {
  const text = domain.trim().toLowerCase().replace(/\.$/, "");
  const written = text.split(".");
  const labels = PLAIN.test(text) ? written : normalizeText(decodeLabels(written), "NFKC").toLowerCase().split(".");
  const zoneSize = SECOND_LEVEL_ZONES.has(labels.slice(-3).join("."))
    ? 3
    : SECOND_LEVEL_ZONES.has(labels.slice(-2).join("."))
      ? 2
      : 1;
  const at = Math.max(labels.length - zoneSize - 1, 0);
  const name = labels[at] ?? "";
  const suffix = labels.slice(at + 1).join(".");
  return {
    full: labels.join("."),
    name,
    suffix,
    registered: suffix ? `${name}.${suffix}` : name,
    isEncoded: written[at]?.startsWith("xn--") ?? false,
  };
}

/** A domain registered less than this long ago is new: a risk, not an error. */
export const NEW_DOMAIN_DAYS = 90;

/** When a domain was registered, by what its registry said; null: it is not registered, or the date is not known. */
export const registeredAtOf = (said: { state: string; registeredAt?: string | null } | null | undefined) =>
  said?.registeredAt == null ? null : Date.parse(said.registeredAt);

const LONGEST_DOMAIN = 253; // RFC 1035 section 2.3.4, without the dot at the end
const LABEL = /^[a-z0-9_](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * A domain name in DNS form: ASCII, `xn--` for other scripts (RFC 5891), lower case, two labels or more.
 *
 * @returns undefined for an IP address, and for text that is not a name
 */
export function asciiDomain(domain: string): string | undefined {
  const text = domain.trim().replace(/\.$/, "");
  // Reject these first, because URL would cut them off or decode them.
  if (/[\s/\\?#@:%[\]]/.test(text)) return undefined;
  const ascii = domainToASCII(text).toLowerCase();
  const labels = ascii.split(".");
  if (labels.length < 2 || ascii.length > LONGEST_DOMAIN || !labels.every((label) => LABEL.test(label)))
    return undefined;
  return /^\d+$/.test(labels.at(-1) ?? "") ? undefined : ascii;
}
