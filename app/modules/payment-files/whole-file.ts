import { cleanLine, foldDiacritics } from "~/kernel/text";
import { referenceKey } from "~/modules/payment-rules/reference-key";
import { accountKey, type FileLine } from "./payment-file";

/** What the lines of a file say of each other. Pure. */
export type WholeFile = {
  /** Other titles under which the account of this line is paid. */
  otherTitlesOf: (line: FileLine) => string[];
  /** The first line that pays the same account the same amount with the same reference; null: this one is the first. */
  earlierLineOf: (line: FileLine) => number | null;
};

const paymentKey = (line: FileLine) => `${accountKey(line)} ${line.amount} ${referenceKey(line.reference)}`;
const plainTitle = (title: string) => foldDiacritics(cleanLine(title));

/** Reads through all lines once. */
export function lookAtWhole(lines: readonly FileLine[]): WholeFile {
  const titles = new Map<string, Map<string, string>>();
  const first = new Map<string, number>();
  for (const line of lines) {
    const known = titles.get(accountKey(line)) ?? new Map<string, string>();
    const plain = plainTitle(line.accountName);
    if (!known.has(plain)) known.set(plain, line.accountName);
    titles.set(accountKey(line), known);
    const payment = paymentKey(line);
    if (!first.has(payment)) first.set(payment, line.line);
  }
  return {
    otherTitlesOf(line) {
      const known = titles.get(accountKey(line));
      if (!known || known.size < 2) return [];
      const own = plainTitle(line.accountName);
      return [...known].flatMap(([plain, title]) => (plain === own ? [] : [title]));
    },
    earlierLineOf(line) {
      const found = first.get(paymentKey(line)) ?? line.line;
      return found === line.line ? null : found;
    },
  };
}
