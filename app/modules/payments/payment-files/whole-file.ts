import { accountKey } from "~/kernel/account-number";
import { cleanLine, foldDiacritics } from "~/kernel/text";
import { referenceKey } from "~/modules/rules/reference-key";
import type { FileLine } from "./payment-file";

/** What the lines of a file say of each other. Pure. */
export type WholeFile = {
  of: (line: FileLine) => LineInFile;
};

/** What the other lines of a file say of one. */
export type LineInFile = {
  /** Other titles under which the account of this line is paid. */
  otherTitles: string[];
  /** The first line that pays the same account the same amount with the same reference; null: this one is the first. */
  earlierLine: number | null;
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
export function summariseLines(lines: readonly FileLine[]): WholeFile {
  const byAccount = new Map<string, FileLine[]>();
  for (const line of lines) {
    const key = accountKey(line);
    const known = byAccount.get(key);
    if (known) known.push(line);
    else byAccount.set(key, [line]);
  }
  const groups = new Map<string, Group>();
  for (const [key, group] of byAccount) if (group.length > 1) groups.set(key, toGroup(group));
  return {
    of(line) {
      const group = groups.size > 0 ? groups.get(accountKey(line)) : undefined;
      if (!group) return { otherTitles: [], earlierLine: null };
      const first = group.first.get(paymentKey(line)) ?? line.line;
      return { otherTitles: otherTitles(group, line), earlierLine: first === line.line ? null : first };
    },
  };
}

function otherTitles({ titles }: Group, { accountName }: FileLine): string[] {
  if (titles.size < 2) return [];
  const own = plainTitle(accountName);
  return [...titles].flatMap(([plain, title]) => (plain === own ? [] : [title]));
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
