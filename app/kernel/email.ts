import { normalizeText } from "./normalize";

export { isFreeMailDomain } from "./free-mail";
export { findLookalikeDomain } from "./lookalike-domain";

const MAX_EMAIL_LENGTH = 254; // RFC 5321 section 4.5.3.1.3, less the angle brackets
const MAX_LOCAL_PART_LENGTH = 64; // section 4.5.3.1.1
const MAX_LABEL_LENGTH = 63; // RFC 1035 section 2.3.4

// RFC 5322 section 3.2.3: dot-atom. Quoted local parts are legal and unknown in the wild.
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u;
const TOP_LEVEL = /\p{L}/u;

/** An email address as it is stored and compared: NFKC, trimmed, lower case. */
export function normalizeEmail(text: string): string {
  return normalizeText(text, "NFKC").toLowerCase().normalize("NFKC").trim();
}

/**
 * True for an address that mail can be sent to today: an ASCII local part without quotes, and a domain of two labels or
 * more, which may be international. At most 254 characters. No address literals, no comments.
 *
 * Sources: RFC 5321, RFC 5322, RFC 5890.
 */
export function isEmail(text: string): boolean {
  if (text.length > MAX_EMAIL_LENGTH) return false;
  const at = text.lastIndexOf("@");
  const localPart = text.slice(0, Math.max(at, 0));
  if (localPart.length > MAX_LOCAL_PART_LENGTH || !LOCAL_PART.test(localPart)) return false;

  const labels = text.slice(at + 1).split(".");
  const isHost = labels.every((label) => label.length <= MAX_LABEL_LENGTH && LABEL.test(label));
  return isHost && labels.length > 1 && TOP_LEVEL.test(labels.at(-1) ?? "");
}

/** What follows the last `@`, in lower case; empty without one. */
export function emailDomain(email: string): string {
  const at = email.lastIndexOf("@");
  return at < 0
    ? ""
    : email
        .slice(at + 1)
        .trim()
        .toLowerCase();
}
