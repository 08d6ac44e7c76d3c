/** No language needs more marks on one letter. Source: UAX 15, section 13 (Stream-Safe Text Format). */
const EXCESS_MARKS = /(\p{M}{30})\p{M}+/gu;

/**
 * A text in a normalisation form, with at most 30 marks on one letter. Sorting marks takes the square of their number, so
 * a text of marks alone would otherwise stop the Worker for seconds.
 */
export function normalizeText(text: string, form: "NFC" | "NFKC" | "NFKD"): string {
  return text.replace(EXCESS_MARKS, "$1").normalize(form);
}
