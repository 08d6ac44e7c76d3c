import type { Finding } from "~/ports/document-reader";
import { cellsOf } from "../facts/context";
import { boxAround, type Char, type Line } from "../layout/lines";
import { share } from "./seen";

/** An amount alone in its cell. A sign that is painted twice stands there twice. */
const AMOUNT = /^(?:[$€£]|[A-Z]{2,3}|[()-]|\s)*\d[\d,. ]*[.,]\d\d?\)?$/;

/** Amounts typed over other digits, which something covers: the amount that a person sees was put there later. */
export function findCovered(lines: readonly Line[], chars: readonly Char[]): Finding[] {
  const isDigit = ({ text }: Char) => /\d/.test(text);
  const under = chars.filter((char) => char.isHidden && char.isOverlapped && isDigit(char));
  if (under.length === 0) return [];
  for (const line of lines) {
    for (const { text, from, to } of cellsOf(line)) {
      if (!AMOUNT.test(text)) continue;
      const own = line.chars.slice(from, to).filter((char) => char !== undefined);
      const isOver = (below: Char) =>
        own.some((char) => isDigit(char) && char.text !== below.text && share(char.box, below.box) > 0);
      const covered = under.filter(isOver);
      const box = boxAround(own);
      if (covered.length > 0)
        return [{ code: "text_over_text", digits: covered.map((char) => char.text).join(""), ...(box ? { box } : {}) }];
    }
  }
  return [];
}
