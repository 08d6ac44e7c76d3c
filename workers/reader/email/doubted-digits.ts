import { DOUBT_MARK } from "../layout/lines";

/** Marks the digits of which nobody can say whether, where or in which order they are shown. */

export const withDoubtedDigits = (text: string) => text.replace(/(?<!\ue000)\p{Nd}/gu, `${DOUBT_MARK}$&`);

/** Letters of scripts that run from right to left, and marks that stand for one. */
export const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u200f\u202b\u2068]/;

/** Beside such a letter, the numbers of a line may be shown in another order than they are written. */
export const withDoubtedOrder = (text: string): string =>
  RIGHT_TO_LEFT.test(text)
    ? text.replace(/[^\n]+/g, (line) => (RIGHT_TO_LEFT.test(line) ? withDoubtedDigits(line) : line))
    : text;
