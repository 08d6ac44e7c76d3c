import { maskAccountNumber } from "~/kernel/account-number";
import { formatBsb } from "~/kernel/bsb";
import { formatAud } from "~/kernel/money";
import type { AbaFile } from "./aba/read-aba";
import { type AbaLine, DEBIT_CODE } from "./aba/record";

/** What differs between a file and the one that was cleared. Pure. */

export type Difference = {
  kind: "account" | "amount" | "title" | "added" | "missing" | "record";
  /** Line of the file that was shown; null for a payment that it does not have. */
  line: number | null;
  /** A plain sentence; account numbers masked. */
  message: string;
};

/** More differences than a person reads. */
const MAX_DIFFERENCES = 200;

const accountOf = ({ bsb, accountNumber }: AbaLine) => `${formatBsb(bsb)} ${maskAccountNumber(accountNumber)}`;
const describe = (line: AbaLine) => `${formatAud(line.amount)} to ${line.title}, ${accountOf(line)}`;

const WAYS: readonly {
  kind: Difference["kind"];
  key: (line: AbaLine) => string;
  say: (now: AbaLine, then: AbaLine) => string;
}[] = [
  {
    kind: "account",
    key: ({ title, amount, reference }) => JSON.stringify([title, amount, reference]),
    say: (now, then) =>
      accountOf(now) === accountOf(then)
        ? `pays ${now.title} at another account than was cleared: ${accountOf(now)} with other hidden digits.`
        : `pays ${now.title} at ${accountOf(now)}. ${accountOf(then)} was cleared.`,
  },
  {
    kind: "amount",
    key: ({ bsb, accountNumber, reference }) => JSON.stringify([bsb, accountNumber, reference]),
    say: (now, then) => `pays ${now.title} ${formatAud(now.amount)}. ${formatAud(then.amount)} was cleared.`,
  },
  {
    kind: "title",
    key: ({ bsb, accountNumber, amount }) => JSON.stringify([bsb, accountNumber, amount]),
    say: (now, then) => `names “${now.title}”, “${now.reference}”. “${then.title}”, “${then.reference}” was cleared.`,
  },
];

/** Takes out of two lists the pairs that agree on a key. */
function pair(now: AbaLine[], before: AbaLine[], key: (line: AbaLine) => string) {
  const waiting = new Map<string, AbaLine[]>();
  for (const line of before) waiting.set(key(line), [...(waiting.get(key(line)) ?? []), line]);
  const pairs: [AbaLine, AbaLine][] = [];
  const rest = now.filter((line) => {
    const other = waiting.get(key(line))?.shift();
    if (other) pairs.push([line, other]);
    return !other;
  });
  return { pairs, now: rest, before: [...waiting.values()].flat() };
}

/** How many payments of the two files are the same, record for record. */
export function countSame(shown: AbaFile, cleared: AbaFile): number {
  return pair(shown.lines, cleared.lines, ({ record }) => record).pairs.length;
}

/** Line by line what differs from the cleared file, the payments first. */
export function compareFiles(shown: AbaFile, cleared: AbaFile): Difference[] {
  const isPayment = ({ code }: AbaLine) => code !== DEBIT_CODE;
  let left = pair(shown.lines.filter(isPayment), cleared.lines.filter(isPayment), ({ record }) => record);
  const differences: Difference[] = [];
  for (const { kind, key, say } of WAYS) {
    left = pair(left.now, left.before, key);
    for (const [now, then] of left.pairs) {
      differences.push({ kind, line: now.line, message: `Line ${now.line} ${say(now, then)}` });
    }
  }
  for (const line of left.now) {
    differences.push({
      kind: "added",
      line: line.line,
      message: `Line ${line.line} was not cleared: ${describe(line)}.`,
    });
  }
  for (const line of left.before) {
    differences.push({ kind: "missing", line: null, message: `A cleared payment is missing: ${describe(line)}.` });
  }
  if (shown.header.record.trimEnd() !== cleared.header.record.trimEnd()) {
    differences.push({ kind: "record", line: 1, message: "The header record is another one than was cleared." });
  }
  if (differences.length === 0) {
    const message =
      "Every payment is as it was cleared. Other bytes differ, such as blanks, line ends or the order of lines.";
    differences.push({ kind: "record", line: null, message });
  }
  return differences.slice(0, MAX_DIFFERENCES);
}
