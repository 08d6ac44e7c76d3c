import type { BankDetails } from "~/kernel/payee";
import type { PaymentFacts } from "./facts";

/**
 * Facts as they are kept with a decision: what is usual is left out, so that a line of a payment file takes a few hundred
 * bytes instead of more than a thousand. Nothing is lost: `readFacts(writeFacts(facts))` gives the same facts. Pure.
 *
 * What is usual is part of the format. A change of it takes a new `FORMAT` and a reader for the one before, because
 * stored facts are never rewritten. Facts that were stored before this format are whole and have no `v`.
 */
const FORMAT = 1;

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

/** Known of the account of a payee only. */
const USUAL_FACTS_OF_PAYEE = { formerBsbs: [], editsInLastDay: 0, lastReturned: null, lookalikeDomain: null };

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

/** What is not as usual. A key that is undefined is a key that is not there, as in JSON. */
function leaveOut(value: Stored, usual: Stored): Stored {
  const kept: Stored = {};
  for (const key in value) if (value[key] !== undefined && !isSame(value[key], usual[key])) kept[key] = value[key];
  const absent = Object.keys(usual).filter((key) => value[key] === undefined);
  if (absent.length > 0) kept[ABSENT] = absent;
  return kept;
}

function putBack({ [ABSENT]: absent, ...kept }: Stored, usual: Stored): Stored {
  const whole = { ...usual, ...kept };
  if (Array.isArray(absent)) for (const key of absent) delete whole[key];
  return whole;
}

const usualOf = (account: BankDetails, hasPayee: boolean): Stored => ({
  ...USUAL_FACTS,
  givenName: account.accountName,
  ...(hasPayee ? USUAL_FACTS_OF_PAYEE : {}),
});

const usualVerification = (payee: BankDetails): Stored => ({ ...detailsOf(payee), status: "verified" });

/** The facts of a decision as the text that is stored. */
export function writeFacts({ payee, ...facts }: PaymentFacts): string {
  const stored: Stored = { v: FORMAT, ...leaveOut(facts, usualOf(facts.account, payee !== null)) };
  if (!payee) return JSON.stringify({ ...stored, payee });
  const { latest, latestDecided, name, ...rest } = payee;
  const verification = usualVerification(payee);
  const kept: Stored = leaveOut(rest, { ...USUAL_PAYEE, ...detailsOf(facts.account) });
  if (name !== payee.accountName) kept.name = name;
  kept.latest = latest && leaveOut(latest, verification);
  const isNewest = latestDecided === latest || JSON.stringify(latestDecided) === JSON.stringify(latest);
  if (!isNewest) kept.latestDecided = latestDecided && leaveOut(latestDecided, verification);
  return JSON.stringify({ ...stored, payee: kept });
}

/** Facts as `writeFacts` stored them, or whole as they were stored before it. @throws for a format that is not known */
export function readFacts(text: string): PaymentFacts {
  const { v, payee, ...stored } = JSON.parse(text) as Stored & { account: BankDetails; payee: Stored | null };
  if (v === undefined) return { ...stored, payee } as unknown as PaymentFacts;
  if (v !== FORMAT) throw new RangeError(`facts are stored in format ${v}, which is not known`);
  const facts = putBack(stored, usualOf(stored.account, payee !== null));
  if (!payee) return { ...facts, payee } as unknown as PaymentFacts;
  const { latest, latestDecided = latest, ...kept } = payee;
  const account = putBack(kept, { ...USUAL_PAYEE, ...detailsOf(stored.account) }) as Stored & BankDetails;
  const verification = usualVerification(account);
  const whole = {
    name: account.accountName,
    ...account,
    latest: latest && putBack(latest as Stored, verification),
    latestDecided: latestDecided && putBack(latestDecided as Stored, verification),
  };
  return { ...facts, payee: whole } as unknown as PaymentFacts;
}
