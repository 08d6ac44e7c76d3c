import type { BankDetails } from "~/kernel/payee";
import type { PaymentFacts } from "./facts";
import {
  isSameAccount,
  type LineOfFacts,
  numberOfUsualLine,
  readUsualLine,
  SHARED,
  writeUsualLine,
} from "./usual-line";

/**
 * Facts as they are kept with a decision: what is usual is left out, so that a payment takes a few hundred bytes instead
 * of more than a thousand. Lines of a payment file are kept many together, and leave out what is the same for all of them
 * and what stands in the line itself. Nothing is lost: reading what was written gives the same facts. Pure.
 *
 * What is usual is part of the format. A change of it takes a new format and a reader for the one before, because
 * stored facts are never rewritten. Facts that were stored before these formats are whole and have no `v`.
 */
const FORMAT = 1;
const FORMAT_OF_LINES = 3;
/** Every line as JSON: what was stored before usual lines were kept as values. */
const FORMAT_WITHOUT_USUAL = 2;

type Stored = Record<string, unknown>;
/** Names of the keys that are usual and that these facts do not have. */
const ABSENT = "-";

const USUAL_FACTS = {
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

/** Some of them are known of the account of a payee only. */
const USUAL_FACTS_OF_PAYEE = {
  ...USUAL_FACTS,
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

const detailsOf = ({ accountName, bsb, accountNumber }: BankDetails) => ({ accountName, bsb, accountNumber });

const isSame = (value: unknown, usual: unknown): boolean =>
  value === usual || (Array.isArray(usual) && usual.length === 0 && Array.isArray(value) && value.length === 0);

/**
 * What is not as usual. A key that is undefined is a key that is not there, as in JSON.
 *
 * @param usual the same for many values
 * @param own what is usual of this value alone: it counts before `usual`
 */
function leaveOut(value: Stored, usual: Stored, own: Stored): Stored {
  const kept: Stored = {};
  for (const key in value) {
    const found = value[key];
    if (found !== undefined && !isSame(found, key in own ? own[key] : usual[key])) kept[key] = found;
  }
  const absent: string[] = [];
  for (const key in usual) {
    if (value[key] === undefined && usual[key] !== undefined && !(key in own)) absent.push(key);
  }
  for (const key in own) if (value[key] === undefined && own[key] !== undefined) absent.push(key);
  if (absent.length > 0) kept[ABSENT] = absent;
  return kept;
}

function putBack({ [ABSENT]: absent, ...kept }: Stored, usual: Stored): Stored {
  const whole = { ...usual, ...kept };
  if (Array.isArray(absent)) for (const key of absent) delete whole[key];
  return whole;
}

const VERIFIED: Stored = { status: "verified" };
const NOTHING: Stored = {};

/** What the reader of stored facts knows besides them, of this payment and of all that are stored with it. */
type Known = { facts: Stored; payeeId?: string; shared: Shared };

/** What is usual of the facts of a payment to a payee, and of one to an account that is no payee's. */
type Shared = { ofPayee: Stored; ofUnknown: Stored };

const toShared = (facts: Stored): Shared => ({
  ofPayee: { ...USUAL_FACTS_OF_PAYEE, ...facts },
  ofUnknown: { ...USUAL_FACTS, ...facts },
});

const BY_ITSELF: Known = { facts: NOTHING, shared: toShared(NOTHING) };

function toStored(facts: PaymentFacts, { shared, ...known }: Known): Stored {
  const { payee, account } = facts;
  const own = { givenName: account.accountName, ...known.facts, payee };
  const stored = leaveOut(facts, payee ? shared.ofPayee : shared.ofUnknown, own);
  stored.payee = payee;
  if (!payee) return stored;
  const { name, latest, latestDecided } = payee;
  const { accountName, bsb, accountNumber } = account;
  // The name and the verifications are kept below.
  const ownOfPayee = { accountName, bsb, accountNumber, id: known.payeeId, name, latest, latestDecided };
  const kept = leaveOut(payee, USUAL_PAYEE, ownOfPayee);
  const details = detailsOf(payee);
  if (name !== payee.accountName) kept.name = name;
  kept.latest = latest && leaveOut(latest, VERIFIED, details);
  const isNewest = latestDecided === latest || JSON.stringify(latestDecided) === JSON.stringify(latest);
  if (!isNewest) kept.latestDecided = latestDecided && leaveOut(latestDecided, VERIFIED, details);
  stored.payee = kept;
  return stored;
}

function fromStored({ payee, ...stored }: StoredFacts, { shared, facts: own, payeeId }: Known): PaymentFacts {
  const account = (stored.account ?? own.account) as BankDetails;
  const usual = { ...(payee ? shared.ofPayee : shared.ofUnknown), givenName: account.accountName, ...own };
  const facts = putBack(stored, usual);
  if (!payee) return { ...facts, payee } as unknown as PaymentFacts;
  const { latest, latestDecided = latest, ...kept } = payee;
  const id = payeeId === undefined ? {} : { id: payeeId };
  const details = putBack(kept, { ...USUAL_PAYEE, ...detailsOf(account), ...id }) as Stored & BankDetails;
  const verification = { ...VERIFIED, ...detailsOf(details) };
  const whole = {
    name: details.accountName,
    ...details,
    latest: latest && putBack(latest as Stored, verification),
    latestDecided: latestDecided && putBack(latestDecided as Stored, verification),
  };
  return { ...facts, payee: whole } as unknown as PaymentFacts;
}

type StoredFacts = Stored & { payee: Stored | null };

/** The facts of a decision as the text that is stored. */
export const writeFacts = (facts: PaymentFacts): string => JSON.stringify({ v: FORMAT, ...toStored(facts, BY_ITSELF) });

/** Facts as `writeFacts` stored them, or whole as they were stored before it. @throws for a format that is not known */
export function readFacts(text: string): PaymentFacts {
  const { v, ...stored } = JSON.parse(text) as StoredFacts;
  if (v === undefined) return stored as unknown as PaymentFacts;
  if (v !== FORMAT) throw unknownFormat(v);
  return fromStored(stored as StoredFacts, BY_ITSELF);
}

const unknownFormat = (v: unknown) => new RangeError(`facts are stored in format ${v}, which is not known`);

export type { LineOfFacts } from "./usual-line";

const sharedOf = (facts: PaymentFacts): Stored =>
  Object.fromEntries(SHARED.flatMap((key) => (facts[key] === undefined ? [] : [[key, facts[key]]])));

const knownOf = ({ amount, reference, payeeId }: LineOfFacts, account: BankDetails, shared: Shared): Known => ({
  facts: { amount, reference, account },
  payeeId: payeeId ?? undefined,
  shared,
});

type LineWithFacts = LineOfFacts & { facts: PaymentFacts };

/** Lines as they are stored: those with usual facts as values, the others as JSON. */
type StoredLines = { v: unknown; shared: Stored; lines: [number, StoredFacts][]; usual?: string };
const BETWEEN_LINES = ";";

/** The facts of lines that were decided together, as the text that is stored beside them. */
export function writeFactsOfLines(lines: readonly LineWithFacts[]): string {
  const [first] = lines;
  const same = first ? sharedOf(first.facts) : {};
  const shared = toShared(same);
  const usual: string[] = [];
  const stored: [number, Stored][] = [];
  for (const line of lines) {
    const text = writeUsualLine(line, line.facts, shared.ofPayee);
    if (text === undefined) stored.push([line.line, toStored(line.facts, knownOfWritten(line, shared))]);
    else usual.push(text);
  }
  return JSON.stringify({ v: FORMAT_OF_LINES, shared: same, lines: stored, usual: usual.join(BETWEEN_LINES) });
}

const knownOfWritten = ({ facts, ...line }: LineWithFacts, shared: Shared) =>
  knownOf(line, isSameAccount(facts.account, line) ? facts.account : detailsOf(line), shared);

/**
 * Facts as `writeFactsOfLines` stored them, now or in the format before.
 *
 * @returns the facts of one of those lines; undefined for a line that is none of them
 * @throws for a format that is not known
 */
export function readFactsOfLines(text: string): (line: LineOfFacts) => PaymentFacts | undefined {
  const { v, shared: same, lines, usual = "" } = JSON.parse(text) as StoredLines;
  if (v !== FORMAT_OF_LINES && v !== FORMAT_WITHOUT_USUAL) throw unknownFormat(v);
  const byLine = new Map(lines);
  const usualLines = usual === "" ? [] : usual.split(BETWEEN_LINES);
  const usualByLine = new Map(usualLines.map((each) => [numberOfUsualLine(each), each]));
  const shared = toShared(same);
  return (line) => {
    const ofUsual = usualByLine.get(line.line);
    const stored = ofUsual === undefined ? byLine.get(line.line) : { payee: readUsualLine(ofUsual) };
    return stored && fromStored(stored, knownOf(line, detailsOf(line), shared));
  };
}
