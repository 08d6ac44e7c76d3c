import type { BankDetails } from "~/kernel/payee";
import type { PayeeFacts, PaymentFacts, VerificationFacts } from "./facts";

/**
 * What the rules see of most lines of a payment file: a payee that is trusted and verified as it is, and nothing else.
 * Such facts are kept as eight values, a quarter of what they take as JSON. Pure.
 */

/** What a line of a payment file says by itself. */
export type LineOfFacts = BankDetails & { line: number; amount: number; reference: string; payeeId: string | null };

/** Facts that are the same for every payment of which they were asked at once. */
export const SHARED = [
  "now",
  "timeZone",
  "reverifyAfterMonths",
  "firstPaymentLimitCents",
  "approvalLimitCents",
  "workingHours",
  "nameWidth",
] as const satisfies readonly (keyof PaymentFacts)[];

type Shared = Partial<Record<(typeof SHARED)[number], unknown>>;

/** Every fact that the functions below look at: one that is added elsewhere and not here is an error of the types. */
type SeenFact =
  | (typeof SHARED)[number]
  | ("amount" | "reference" | "givenName" | "account" | "bsbProblem" | "payee" | "duplicate" | "otherTitles")
  | ("earlierLine" | "isStaffAccount" | "register" | "lookalikeDomain" | "namesakes" | "formerHolder" | "newDetails")
  | (
      | "editsInLastDay"
      | "lastReturned"
      | "accountingChange"
      | "accountingOrigin"
      | "bills"
      | "formerBsbs"
      | "bankAnswer"
      | "lastChange"
    );
type SeenOfPayee =
  | keyof BankDetails
  | (
      | "id"
      | "name"
      | "version"
      | "whitelisted"
      | "disputedAt"
      | "bankDetailsChangedAt"
      | "takenOffWhitelistAt"
      | "renamedAt"
    )
  | ("contactChangedAt" | "archivedAt" | "draftSince" | "paymentCount" | "lastPaymentDate" | "largestRecentAmount")
  | ("latest" | "latestDecided");
type Unseen = Exclude<keyof PaymentFacts, SeenFact> | Exclude<keyof PayeeFacts, SeenOfPayee>;
const SEES_ALL: [Unseen] extends [never] ? true : never = true;

export const isSameAccount = (one: BankDetails, other: BankDetails): boolean =>
  one.accountNumber === other.accountNumber && one.bsb === other.bsb && one.accountName === other.accountName;

const isShared = (facts: PaymentFacts, shared: Shared): boolean =>
  facts.now === shared.now &&
  facts.timeZone === shared.timeZone &&
  facts.reverifyAfterMonths === shared.reverifyAfterMonths &&
  facts.firstPaymentLimitCents === shared.firstPaymentLimitCents &&
  facts.approvalLimitCents === shared.approvalLimitCents &&
  facts.workingHours === shared.workingHours &&
  facts.nameWidth === shared.nameWidth;

const isEmpty = (list: readonly unknown[] | undefined): boolean => list?.length === 0;

const saysNothing = (facts: PaymentFacts): boolean =>
  SEES_ALL &&
  facts.bsbProblem === null &&
  facts.duplicate === null &&
  isEmpty(facts.otherTitles) &&
  facts.earlierLine === null &&
  facts.isStaffAccount === false &&
  facts.register === undefined &&
  facts.lookalikeDomain === null &&
  facts.namesakes === undefined &&
  facts.formerHolder === undefined &&
  facts.newDetails === false &&
  facts.editsInLastDay === 0 &&
  facts.lastReturned === null &&
  facts.accountingChange === undefined &&
  facts.accountingOrigin === undefined &&
  facts.bankAnswer === undefined &&
  facts.lastChange === undefined &&
  facts.bills === undefined &&
  isEmpty(facts.formerBsbs);

const isTrusted = (payee: PayeeFacts): boolean =>
  payee.name === payee.accountName &&
  payee.whitelisted === true &&
  payee.disputedAt === null &&
  payee.bankDetailsChangedAt === null &&
  payee.renamedAt === undefined &&
  payee.takenOffWhitelistAt === null &&
  payee.contactChangedAt === null &&
  payee.archivedAt === undefined &&
  payee.draftSince === undefined &&
  Number.isSafeInteger(payee.version) &&
  Number.isSafeInteger(payee.paymentCount) &&
  isIntegerOrNull(payee.lastPaymentDate) &&
  isIntegerOrNull(payee.largestRecentAmount);

const isIntegerOrNull = (value: number | null): boolean => value === null || Number.isSafeInteger(value);

type Verified = VerificationFacts & { completedAt: number };

/** The verification of a payee whose newest one is decided, successful, and of the account of today. */
function findVerification(payee: PayeeFacts): Verified | undefined {
  const { latest } = payee;
  if (latest === null || latest !== payee.latestDecided || latest.status !== "verified") return undefined;
  const verified = latest as Verified;
  if (!Number.isSafeInteger(verified.createdAt) || !Number.isSafeInteger(verified.completedAt)) return undefined;
  return isSameAccount(verified, payee) ? verified : undefined;
}

const BETWEEN_VALUES = " ";
const NULL = "-";
/** An id as the database makes them has none of the marks above. */
const ID_LENGTH = 36;

/** The facts of a line as a short text without blanks at its ends; undefined for facts that are not usual. */
export function writeUsualLine(line: LineOfFacts, facts: PaymentFacts, shared: Shared): string | undefined {
  const { payee, account } = facts;
  if (!payee || payee.id !== line.payeeId) return undefined;
  if (facts.amount !== line.amount || facts.reference !== line.reference) return undefined;
  if (facts.givenName !== account.accountName || !isSameAccount(account, line) || !isSameAccount(payee, line)) {
    return undefined;
  }
  if (!isShared(facts, shared) || !saysNothing(facts) || !isTrusted(payee)) return undefined;
  const verified = findVerification(payee);
  if (verified?.id.length !== ID_LENGTH || !/^[\w-]+$/.test(verified.id)) return undefined;
  const { version, paymentCount, lastPaymentDate, largestRecentAmount } = payee;
  return `${line.line} ${verified.id} ${verified.createdAt} ${verified.completedAt} ${version} ${paymentCount} ${lastPaymentDate ?? NULL} ${largestRecentAmount ?? NULL}`;
}

const toNumber = (text: string | undefined) => (text === undefined || text === NULL ? null : Number(text));

/** What `writeUsualLine` wrote: the values that are not the same for all such lines. */
export function readUsualLine(text: string) {
  const [, id, createdAt, completedAt, version, paymentCount, lastPaymentDate, largest] = text.split(BETWEEN_VALUES);
  return {
    version: toNumber(version),
    paymentCount: toNumber(paymentCount),
    lastPaymentDate: toNumber(lastPaymentDate),
    largestRecentAmount: toNumber(largest),
    latest: { id, createdAt: toNumber(createdAt), completedAt: toNumber(completedAt) },
  };
}

/** The number of the line that `writeUsualLine` wrote. */
export const numberOfUsualLine = (text: string): number => Number.parseInt(text, 10);
