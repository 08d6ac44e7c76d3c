const NOT_TELLING = /[^\p{L}\p{N}]/gu;
const LEADING_ZEROS = /(?<!\d)0+(?=\d)/g;

/** A reference as references are compared: without case, blanks, punctuation and leading zeros. `INV 007` is `inv7`. */
export function comparableReference(reference: string): string {
  return reference.toLowerCase().replace(NOT_TELLING, "").replace(LEADING_ZEROS, "");
}
