const LEADING_ZEROS = /(?<!\p{Nd})0+(?=\p{Nd})/gu;
const NOT_LETTER_OR_DIGIT = /[^\p{L}\p{N}]+/gu;

/**
 * A reference as duplicates are compared: without case, blanks and punctuation, and without the leading zeros of its
 * numbers. `INV-00123`, `inv 123` and `Inv.123` are one reference. Pure and idempotent.
 *
 * A reference of punctuation alone gives the empty text.
 */
export function referenceKey(reference: string): string {
  return reference.normalize("NFKC").toLowerCase().replace(LEADING_ZEROS, "").replace(NOT_LETTER_OR_DIGIT, "");
}
