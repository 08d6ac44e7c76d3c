import * as z from "zod";
import type { BankDetails } from "~/kernel/payee";
import { type PaymentFacts, paymentFacts } from "./facts";

/**
 * Facts as they are kept with a decision: named JSON, in which what is usual is left out, so that a payment takes a few
 * hundred bytes instead of more than a thousand. Nothing is lost: reading what was written gives the same facts. Pure.
 *
 * What is usual is part of the format: a change of it takes a new format and a reader for this one, because stored facts
 * are never rewritten.
 */
const FORMAT = 1;

const USUAL = {
  timeZone: "Australia/Sydney",
  reverifyAfterMonths: 12,
  firstPaymentLimitCents: 1_000_000,
  approvalLimitCents: null,
  workingHours: null,
  nameWidth: null,
  otherTitles: [],
  earlierLine: null,
  newDetails: false,
  bsbProblem: null,
  duplicate: null,
  isStaffAccount: false,
};

/** What is usual, too, where the account is a payee's. */
const USUAL_WITH_PAYEE = {
  ...USUAL,
  formerBsbs: [],
  editsInLastDay: 0,
  lastReturned: null,
  lookalikeDomain: null,
};

const USUAL_PAYEE = {
  version: 1,
  whitelisted: true,
  disputedAt: null,
  bankDetailsChangedAt: null,
  takenOffWhitelistAt: null,
  contactChangedAt: null,
  paymentCount: 0,
  lastPaymentDate: null,
  largestRecentAmount: null,
};

/** Facts that are the same for all payments that are judged at once: lines of a file keep them once. */
const SHARED = [
  "now",
  "timeZone",
  "reverifyAfterMonths",
  "firstPaymentLimitCents",
  "approvalLimitCents",
  "workingHours",
  "nameWidth",
] as const satisfies readonly (keyof PaymentFacts)[];

type Stored = Record<string, unknown>;

/** Names of the keys that usually have a value and here have none. */
const ABSENT = "-";

const isUsual = (value: unknown, usual: unknown): boolean =>
  value === usual || (Array.isArray(usual) && Array.isArray(value) && value.length === 0);

/** What is not as usual. A key that is undefined is a key that is not there, as in JSON. */
function leaveOut(value: Stored, usual: Stored): Stored {
  const kept: Stored = {};
  for (const key in value) if (!isUsual(value[key], usual[key])) kept[key] = value[key];
  const absent = Object.keys(usual).filter((key) => value[key] === undefined);
  if (absent.length > 0) kept[ABSENT] = absent;
  return kept;
}

function putBack({ [ABSENT]: absent, ...kept }: Stored, usual: Stored): Stored {
  const whole = { ...usual, ...kept };
  if (Array.isArray(absent)) for (const key of absent) delete whole[key];
  return whole;
}

/** A payment is usually made under the name of its account. */
const usualFacts = ({ account, payee }: { account: BankDetails; payee: unknown }, shared: Stored): Stored => ({
  ...(payee ? USUAL_WITH_PAYEE : USUAL),
  ...shared,
  givenName: account.accountName,
});

/** A payee usually has the name and the account that are paid, and its newest verification is of that account. */
const usualPayee = ({ accountName, bsb, accountNumber }: BankDetails): Stored => ({
  ...USUAL_PAYEE,
  ...{ accountName, bsb, accountNumber },
});
const usualVerification = ({ accountName, bsb, accountNumber }: BankDetails): Stored => ({
  ...{ status: "verified", accountName, bsb, accountNumber },
});

function toStored(facts: PaymentFacts, shared: Stored): Stored {
  const { payee } = facts;
  const stored = leaveOut(facts, usualFacts(facts, shared));
  if (!payee) return stored;
  const { latest, latestDecided, ...rest } = payee;
  const kept = leaveOut(rest, { ...usualPayee(facts.account), name: payee.accountName });
  const keep = (verification: Stored | null) => verification && leaveOut(verification, usualVerification(payee));
  kept.latest = keep(latest);
  if (JSON.stringify(latestDecided) !== JSON.stringify(latest)) kept.latestDecided = keep(latestDecided);
  return { ...stored, payee: kept };
}

/** What was stored is not the facts of a decision: another format, or a record that is damaged. Nothing is guessed from it. */
export class UnreadableFacts extends RangeError {}

const stored = z.looseObject({
  account: z.object({ accountName: z.string(), bsb: z.string(), accountNumber: z.string() }),
  payee: z.record(z.string(), z.unknown()).nullable(),
});
const storedAlone = z.looseObject({ v: z.literal(FORMAT) });
const storedLines = z.object({
  v: z.literal(FORMAT),
  shared: z.record(z.string(), z.unknown()),
  lines: z.array(z.tuple([z.number(), z.unknown()])),
});
const isStored = (value: unknown): value is Stored => typeof value === "object" && value !== null;

/** What a schema makes of a value that was stored. @throws UnreadableFacts */
function parse<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw new UnreadableFacts(`stored facts cannot be read: ${z.prettifyError(read.error)}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableFacts("stored facts are no JSON");
  }
}

function fromStored(value: unknown, shared: Stored): PaymentFacts {
  const kept = parse(stored, value);
  const facts = putBack(kept, usualFacts(kept, shared));
  if (!kept.payee) return parse(paymentFacts, facts);
  const { latest, latestDecided = latest, ...rest } = kept.payee;
  const payee = putBack(rest, usualPayee(kept.account));
  const account = { ...kept.account, ...payee };
  const read = (one: unknown) => (isStored(one) ? putBack(one, usualVerification(account)) : one);
  const whole = { name: payee.accountName, ...payee, latest: read(latest), latestDecided: read(latestDecided) };
  return parse(paymentFacts, { ...facts, payee: whole });
}

/** The facts of a decision as the text that is stored. */
export const writeFacts = (facts: PaymentFacts): string => JSON.stringify({ v: FORMAT, ...toStored(facts, {}) });

/** Facts as `writeFacts` stored them. @throws UnreadableFacts */
export function readFacts(text: string): PaymentFacts {
  const { v: _, ...kept } = parse(storedAlone, parseJson(text));
  return fromStored(kept, {});
}

/** The facts of lines that were decided together, as the text that is stored beside them. */
export function writeFactsOfLines(lines: readonly { line: number; facts: PaymentFacts }[]): string {
  const first = lines[0]?.facts;
  const shared = Object.fromEntries(SHARED.flatMap((key) => (first?.[key] === undefined ? [] : [[key, first[key]]])));
  return JSON.stringify({ v: FORMAT, shared, lines: lines.map(({ line, facts }) => [line, toStored(facts, shared)]) });
}

/**
 * Readers of the facts by line, as `writeFactsOfLines` stored them: a line that is damaged refuses only who reads it.
 * @throws UnreadableFacts, each reader too
 */
export function readFactsOfLines(text: string): Map<number, () => PaymentFacts> {
  const { shared, lines } = parse(storedLines, parseJson(text));
  return new Map(lines.map(([line, kept]) => [line, () => fromStored(kept, shared)]));
}
