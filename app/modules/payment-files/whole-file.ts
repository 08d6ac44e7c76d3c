import { accountKey } from "~/kernel/account-number";
import { cleanLine, foldDiacritics } from "~/kernel/text";
import { referenceKey } from "~/modules/payment-rules/reference-key";
import type { FileLine } from "./payment-file";

/** What the lines of a file say of each other. Pure. */
export type WholeFile = {
  /** Other titles under which the account of this line is paid. */
  otherTitlesOf: (line: FileLine) => string[];
  /** The first line that pays the same account the same amount with the same reference; null: this one is the first. */
  earlierLineOf: (line: FileLine) => number | null;
};

/** What several lines that pay one account say of each other. */
type Group = {
  /** Plain title -> as it first stands in the file. */
  titles: Map<string, string>;
  /** Amount and reference -> the first line that has them. */
  first: Map<string, number>;
};

const plainTitle = (title: string) => foldDiacritics(cleanLine(title));
const paymentKey = ({ amount, reference }: FileLine) => `${amount} ${referenceKey(reference)}`;

/** Reads through all lines once. Most accounts are paid by one line, which says nothing of any other. */
export function lookAtWhole(lines: readonly FileLine[]): WholeFile {
  const byAccount = new Map<string, FileLine[]>();
  for (const line of lines) {
    const known = byAccount.get(accountKey(line));
    if (known) known.push(line);
    else byAccount.set(accountKey(line), [line]);
  }
  const groups = new Map<string, Group>();
  for (const [key, group] of byAccount) if (group.length > 1) groups.set(key, toGroup(group));
  return {
    otherTitlesOf(line) {
      const titles = groups.get(accountKey(line))?.titles;
      if (!titles || titles.size < 2) return [];
      const own = plainTitle(line.accountName);
      return [...titles].flatMap(([plain, title]) => (plain === own ? [] : [title]));
    },
    earlierLineOf(line) {
      const found = groups.get(accountKey(line))?.first.get(paymentKey(line)) ?? line.line;
      return found === line.line ? null : found;
    },
  };
}

function toGroup(lines: readonly FileLine[]): Group {
  const group: Group = { titles: new Map(), first: new Map() };
  for (const line of lines) {
    const plain = plainTitle(line.accountName);
    if (!group.titles.has(plain)) group.titles.set(plain, line.accountName);
    if (!group.first.has(paymentKey(line))) group.first.set(paymentKey(line), line.line);
  }
  return group;
}
