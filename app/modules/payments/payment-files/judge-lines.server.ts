import { accountKey } from "~/kernel/account-number";
import type { FileFormat } from "~/kernel/enums";
import { cleanLine, foldDiacritics } from "~/kernel/text";
import { readLineFacts } from "~/modules/payments/payment-facts/decided-facts.server";
import {
  type AskedPayment,
  type FactsReading,
  gatherFacts,
  type PaymentsOf,
} from "~/modules/payments/payment-facts/facts.server";
import { type RuleLevels, runRules } from "~/modules/rules";
import type { PaymentFacts } from "~/modules/rules/facts";
import type { PaymentReason } from "~/modules/rules/payment-reason";
import { referenceKey } from "~/modules/rules/reference-key";
import { type FileLine, nameWidthOf } from "./payment-file";

/** The lines of a payment file are judged by the rules of single payments, and by what they say of each other. */

/** A line with what the rules saw and found. */
export type JudgedLine = FileLine & { payeeId: string | null; facts: PaymentFacts; reasons: PaymentReason[] };

/** Lines that were judged at once, and how the organisation set the rules then. */
export type Judged = { lines: JudgedLine[]; levels: RuleLevels };

/** A payment file whose lines are judged. */
export type JudgedFile = { organizationId: string; id: string; format: FileFormat; uploadedById: string | null };

/** Runs every rule on some lines of a file, on the facts as they are now. @param all every line of the file */
export function judgeLines(
  services: FactsReading,
  file: JudgedFile,
  all: readonly FileLine[],
  lines: readonly FileLine[] = all,
): Promise<Judged> {
  const inFile = summariseLines(all);
  return judge(services, file, lines, (line) => ({ ...inFile(line), newDetails: line.newDetails }));
}

/** A line of a file as it is stored. `facts`: what the rules saw when it was judged again; null: the check of its file. */
type StoredLine = Omit<FileLine, "newDetails"> & { facts: string | null };

/** The same for lines of a file that was checked. What they say of each other was kept with the check. */
export async function judgeStoredLines(
  services: FactsReading,
  file: JudgedFile,
  stored: readonly StoredLine[],
): Promise<Judged> {
  const ofFile = stored.map(({ line, facts }) => ({ fileId: file.id, line, facts }));
  const seen = await readLineFacts(services, file.organizationId, ofFile);
  const factsOf = new Map(stored.map(({ line }, index) => [line, seen[index]?.readFacts()]));
  const lines = stored.map((line) => ({ ...line, newDetails: factsOf.get(line.line)?.newDetails ?? false }));
  return judge(services, file, lines, ({ line }) => {
    const { otherTitles, earlierLine, newDetails } = factsOf.get(line) ?? {};
    return { otherTitles, earlierLine, newDetails };
  });
}

async function judge(
  services: FactsReading,
  { organizationId, id: fileId, format, uploadedById }: JudgedFile,
  lines: readonly FileLine[],
  saidByOthers: (line: FileLine) => AskedPayment["further"],
): Promise<Judged> {
  const of: PaymentsOf = { organizationId, fileId, recordedById: uploadedById, nameWidth: nameWidthOf(format) };
  const asked = lines.map((line): AskedPayment => {
    const { accountName, bsb, accountNumber, amount, reference } = line;
    return { to: { accountName, bsb, accountNumber }, amount, reference, further: saidByOthers(line) };
  });
  const { facts, levels } = await gatherFacts(services, of, asked);
  const judged = lines.flatMap((line, index) => {
    const seen = facts[index];
    return seen ? [{ ...line, payeeId: seen.payee?.id ?? null, facts: seen, reasons: runRules(seen, levels) }] : [];
  });
  return { lines: judged, levels };
}

type LineBefore = {
  /** The reasons that the rules found when the line was last judged. */
  reasons: readonly PaymentReason[];
  /** A person approved the line, knowing those reasons. */
  isApproved: boolean;
};

const keyOf = ({ rule, evidence }: PaymentReason) => JSON.stringify([rule, evidence]);

/**
 * The holding reasons found now that a person did not approve: all of them for a line that no one decided, and those that
 * are new, or rest on other evidence, for one that a person approved.
 */
export function findNewHolds(line: LineBefore, now: readonly PaymentReason[]): PaymentReason[] {
  const accepted = new Set(line.isApproved ? line.reasons.map(keyOf) : []);
  return now.filter((reason) => reason.level === "hold" && !accepted.has(keyOf(reason)));
}

/** What the other lines of a file say of one. */
type LineInFile = {
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
function summariseLines(lines: readonly FileLine[]): (line: FileLine) => LineInFile {
  const byAccount = new Map<string, FileLine[]>();
  for (const line of lines) {
    const key = accountKey(line);
    const known = byAccount.get(key);
    if (known) known.push(line);
    else byAccount.set(key, [line]);
  }
  const groups = new Map<string, Group>();
  for (const [key, group] of byAccount) if (group.length > 1) groups.set(key, toGroup(group));
  return (line) => {
    const group = groups.size > 0 ? groups.get(accountKey(line)) : undefined;
    if (!group) return { otherTitles: [], earlierLine: null };
    const first = group.first.get(paymentKey(line)) ?? line.line;
    return { otherTitles: otherTitles(group, line), earlierLine: first === line.line ? null : first };
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
