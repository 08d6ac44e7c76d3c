import type { FindingCode } from "~/ports/document-reader";
import type { Line } from "../layout/lines";

/** A total that is more than the subtotal and the GST right above it: who writes the invoice by hand has it add up. */

const AMOUNT = String.raw`[\s:]*(?:AUD)?\s*\$?\s*(\d{1,3}(?:,?\d{3})*\.\d{2})\s*$`;
const SUM = [
  String.raw`(?:^|\t)sub-? ?total(?: \(?ex(?:cl|cluding)?\.? gst\)?)?`,
  String.raw`(?:^|\t)(?:total )?gst(?: \(?10(?:\.0)? ?%\)?)?`,
  String.raw`(?:^|\t)(?:(?:(?:invoice|grand) )?total(?: amount)?|amount|balance|(?:please )?pay(?: this amount)?)(?: (?:due|payable|owing|to pay|aud|inc(?:l|luding)?\.? gst))*`,
].map((label) => new RegExp(label + AMOUNT, "i"));

const centsOf = (line: Line | undefined, pattern: RegExp | undefined): number | undefined => {
  const figure = line && pattern?.exec(line.text)?.[1];
  return figure ? Math.round(Number(figure.replaceAll(",", "")) * 100) : undefined;
};

/** In cents: prices that are rounded in each line add up to a little more or less. */
const ROUNDING = 100;

/** "Previous balance $250.00" may be a part of the total. */
const OWED_BEFORE =
  /\b(?:previous|prior|opening|brought forward|carried|arrears|overdue|outstanding|last (?:bill|invoice|statement))\b.{0,200}?\d\.\d{2}/i;

export function findWrongSum(lines: readonly Line[]): { code: FindingCode; lines: string[] }[] {
  if (lines.some(({ text }) => OWED_BEFORE.test(text))) return [];
  return lines.flatMap((_, row) => {
    const three = lines.slice(row, row + SUM.length);
    const [subtotal, gst, total] = SUM.map((pattern, at) => centsOf(three[at], pattern));
    if (subtotal === undefined || gst === undefined || total === undefined) return [];
    if (total <= subtotal + gst + ROUNDING) return [];
    return [
      { code: "total_too_high", lines: three.map(({ text }) => text.replaceAll("\t", "  ").trim().slice(0, 80)) },
    ];
  });
}
