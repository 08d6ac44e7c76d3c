import * as z from "zod";
import type { BankDetails } from "~/kernel/payee";
import { type PaymentFacts, paymentFacts } from "./facts";

/**
 * Facts stored with a decision: JSON that leaves out the usual values, so that a payment takes a few hundred bytes
 * instead of more than a thousand. Nothing is lost: reading gives back exactly what was written. Pure.
 *
 * The usual values are part of the format. Changing them requires a new format number and a reader for this one,
 * because stored facts are never rewritten.
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

/** Further usual values when the account belongs to a payee. */
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

/** Facts that all payments judged together share: for lines of a file they are stored once. */
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

/** Names of the keys that usually have a value but have none here. */
const ABSENT = "-";

const isUsual = (value: unknown, usual: unknown): boolean =>
  value === usual || (Array.isArray(usual) && Array.isArray(value) && value.length === 0);

/** The values that differ from the usual ones. A key whose value is undefined counts as missing, as in JSON. */
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

/** A payment usually gives the name of its account. */
const usualFacts = ({ account, payee }: { account: BankDetails; payee: unknown }, shared: Stored): Stored => ({
  ...(payee ? USUAL_WITH_PAYEE : USUAL),
  ...shared,
  givenName: account.accountName,
});

/** A payee usually has the name and account being paid, and its newest verification is of that account. */
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

/** The stored text is not in a known format, or it is damaged. The reader never guesses. */
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

/** Parses a stored value. @throws UnreadableFacts */
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

/** Facts of a decision as the string to store. */
export const writeFacts = (facts: PaymentFacts): string => JSON.stringify({ v: FORMAT, ...toStored(facts, {}) });

/** Facts from a string that `writeFacts` made. @throws UnreadableFacts */
export function readFacts(text: string): PaymentFacts {
  const { v: _, ...kept } = parse(storedAlone, parseJson(text));
  return fromStored(kept, {});
}

/** Facts of lines that were decided together, as the string to store beside them. */
export function writeFactsOfLines(lines: readonly { line: number; facts: PaymentFacts }[]): string {
  const first = lines[0]?.facts;
  const shared = Object.fromEntries(SHARED.flatMap((key) => (first?.[key] === undefined ? [] : [[key, first[key]]])));
  return JSON.stringify({ v: FORMAT, shared, lines: lines.map(({ line, facts }) => [line, toStored(facts, shared)]) });
}

/**
 * A reader for each line's facts, from a string that `writeFactsOfLines` made. A damaged line throws only when that
 * line is read.
 * @throws UnreadableFacts, as does each reader
 */
export function readFactsOfLines(text: string): Map<number, () => PaymentFacts> {
  const { shared, lines } = parse(storedLines, parseJson(text));
  return new Map(lines.map(([line, kept]) => [line, () => fromStored(kept, shared)]));
}
