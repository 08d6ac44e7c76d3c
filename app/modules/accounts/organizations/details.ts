/** An organisation's details. Pure. */

/** The specification's fields; null: not given. */
export type OrganizationDetails = {
  name: string;
  abn: string | null;
  address: string | null;
  phone: string | null;
  contactEmail: string | null;
  website: string | null;
  /** The organisation's short name in the picker, a plain label such as "harbour". */
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
export function changedDetails(before: OrganizationDetails, after: OrganizationDetails) {
  const changed = DETAIL_FIELDS.filter((field) => before[field] !== after[field]);
  return Object.fromEntries(changed.map((field) => [field, { from: before[field], to: after[field] }]));
}

/** An organisation's logo: a small image stored as a data URL, because every page that shows it is private. Pure. */

/** Large enough for a sharp image, small enough to be embedded in a page and a form. */
export const MAX_LOGO_BYTES = 32 * 1024;

/** SVG is not accepted: it may contain scripts and external references. */
export const LOGO_TYPES = "image/png,image/jpeg,image/webp";

const starts = (bytes: Uint8Array, signature: readonly number[], at = 0) =>
  signature.every((byte, i) => bytes[at + i] === byte);

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG = [0xff, 0xd8, 0xff];
const RIFF = [0x52, 0x49, 0x46, 0x46];
const WEBP = [0x57, 0x45, 0x42, 0x50];
const WEBP_AT = 8;

/**
 * The image type by the file's first bytes, whatever it claims to be.
 *
 * Sources: PNG (ISO/IEC 15948, 5.2), JPEG (ITU-T T.81, annex B), WebP container specification.
 */
export function sniffLogoType(bytes: Uint8Array): "image/png" | "image/jpeg" | "image/webp" | undefined {
  if (starts(bytes, PNG)) return "image/png";
  if (starts(bytes, JPEG)) return "image/jpeg";
  return starts(bytes, RIFF) && starts(bytes, WEBP, WEBP_AT) ? "image/webp" : undefined;
}

/** The logo in stored form, or the sentence why it is refused. */
export function readLogo(bytes: Uint8Array): { logo: string } | { problem: string } {
  if (bytes.length > MAX_LOGO_BYTES) return { problem: "The logo is larger than 32 KB. Make it smaller and try again" };
  const type = sniffLogoType(bytes);
  if (!type) return { problem: "A logo is a PNG, JPEG or WebP picture" };
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return { logo: `data:${type};base64,${btoa(text)}` };
}
