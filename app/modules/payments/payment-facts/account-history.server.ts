import { sql } from "drizzle-orm";
import { accountKey, maskAccountNumber } from "~/kernel/account-number";
import { inParts } from "~/kernel/all-in-order";
import { DAY_MS } from "~/kernel/dates";
import type { CheckOutcome, VerificationMethod, VerificationStatus } from "~/kernel/enums";
import { approvedAt, type BankDetails, type FormerTrust, payeeStatus } from "~/kernel/payee";
import { fingerprintsOfAccount } from "~/modules/core/payee-fingerprint.server";
import type { AccountAnswer } from "~/modules/payees/verifications/account-questions.server";
import {
  type AccountChange,
  type FormerHolder,
  formerAccounts,
} from "~/modules/payees/verifications/former-accounts.server";
import { gradeFactsOf, gradeOf, inSentence } from "~/modules/payees/verifications/grade";
import { describeOutcome } from "~/modules/payees/verifications/outcomes";
import type { ResultData } from "~/modules/payees/verifications/verification";
import { type AccountStanding, isTrusted, type KnownAccount } from "~/modules/rules/account-standing";
import { DUPLICATE_DAYS } from "~/modules/rules/duplicate-payment";
import type { BankAnswerFact, FormerHolderFact, FurtherFacts, LastChangeFact, PayeeFacts } from "~/modules/rules/facts";
import type { ReadServices, Services } from "~/services";
import type { ReadPayment } from "./facts.server";

/** What is known of accounts that payees have and had: the banks' answers, and who verified them. Pure. Instants in epoch milliseconds. */

type Account = { bsb: string; accountNumber: string };

/** A verification of a payee, as far as it tells of the account that it was about. */
export type AccountVerification = BankDetails & {
  id: string;
  status: VerificationStatus;
  method: VerificationMethod;
  outcome: CheckOutcome | null;
  reasonCode: string | null;
  resultData: Pick<ResultData, "source" | "checkedAt" | "accountName" | "institutionDiffers" | "bankVerdict"> | null;
  disputedByPayeeAt: number | null;
  createdAt: number;
  completedAt: number | null;
  /** Null: nobody has decided, or no decision is on record. */
  decider: "person" | "rule" | null;
  /** When the payee confirmed the details in a call that counts; null: in none. */
  calledAt: number | null;
};

/** Where a person put a payee on the whitelist with an account. */
type Trust = Account & { whitelistedAt: number | null; isByPerson: boolean };

/** A payee, what its accounts were, and what was found out about them. */
export type AccountHistory = {
  payeeId: string;
  /** Today's. */
  account: BankDetails;
  takenOffWhitelistAt: number | null;
  /** When it was last given another name; null: never. */
  renamedAt: number | null;
  /** Today's, while it is on the whitelist; and the one that it had when its bank details changed, until that is decided. */
  trusts: Trust[];
  /** Newest first. */
  verifications: AccountVerification[];
  /** Of its BSB and account number, newest first. */
  changes: AccountChange[];
};

/** What a bank can say against an account. */
export const AGAINST: readonly CheckOutcome[] = ["no_match", "account_closed", "account_not_shared"];
/** What a bank says of an account. A consent that was refused, or a bank that could not answer, says nothing of it. */
const ANSWERS: readonly (CheckOutcome | null)[] = ["match", "close_match", ...AGAINST];

const isSame = (one: Account, other: Account) => accountKey(one) === accountKey(other);

const answeredAt = ({ resultData, completedAt, createdAt }: AccountVerification): number =>
  resultData?.checkedAt ?? completedAt ?? createdAt;

const decidedAt = ({ completedAt, createdAt }: AccountVerification): number => completedAt ?? createdAt;

/** What is known of an account of this payee: the last decision about it, and what that rested on. */
export function standingOf(account: Account, history: AccountHistory): AccountStanding {
  const about = history.verifications.filter((each) => isSame(each, account) && !isOfFormerName(each, history));
  const decided = about.map(judge).find((standing) => standing !== undefined);
  const byHand = trustedByHand(account, history);
  if (byHand && (!decided || (!isTrusted(decided) && byHand.at > decided.at))) return byHand;
  if (!decided) return { state: "none" };
  const { takenOffWhitelistAt: takenOff } = history;
  if (decided.state !== "verified" || takenOff === null || !isTakenBack(account, history, decided.at)) return decided;
  return { state: "taken_off", how: decided.how, verifiedAt: decided.at, at: takenOff };
}

/** Today's account was approved under another name, its own or the payee's: both are part of what was verified. */
function isOfFormerName(verification: AccountVerification, { account, renamedAt }: AccountHistory): boolean {
  if (verification.status !== "verified" || !isSame(verification, account)) return false;
  // The same account may be written in several ways.
  const approval = { ...account, accountName: verification.accountName, completedAt: decidedAt(verification) };
  return approvedAt({ ...account, renamedAt }, approval) === null;
}

/** Whether the payee was put on the whitelist with this account. If it is the present account, a later change of name undoes that. */
const isTrustedWith = (account: Account, trust: Trust, { account: today, renamedAt }: AccountHistory): boolean =>
  trust.isByPerson &&
  isSame(trust, account) &&
  !(isSame(account, today) && renamedAt !== null && (trust.whitelistedAt ?? 0) <= renamedAt);

/** A person took the payee off the whitelist after the decision, while it had this account. */
function isTakenBack(account: Account, history: AccountHistory, decided: number): boolean {
  const { takenOffWhitelistAt: takenOff, account: today, changes } = history;
  if (takenOff === null || takenOff < decided) return false;
  const former = isSame(account, today)
    ? undefined
    : formerAccounts(today, changes).find((each) => isSame(each, account));
  return former === undefined || takenOff <= former.changedAt;
}

type Decided = Exclude<AccountStanding, { state: "none" }>;

/** What a verification decided about its account; undefined: nothing. One that waits takes nothing back. */
function judge(verification: AccountVerification): Decided | undefined {
  const { status, disputedByPayeeAt } = verification;
  if (status === "verified") return { state: "verified", how: howVerified(verification), at: decidedAt(verification) };
  if (disputedByPayeeAt !== null) return { state: "disputed", at: disputedByPayeeAt };
  return status === "rejected" ? { state: "rejected", at: decidedAt(verification) } : undefined;
}

/** What an approval rests on, within a sentence: the grade that the verification itself shows. */
function howVerified({ calledAt, ...verification }: AccountVerification): string {
  const grade = gradeOf(gradeFactsOf({ ...verification, isCalledBack: calledAt === null ? 0 : 1 }));
  return grade ? inSentence(grade) : "";
}

/** A person put the payee on the whitelist with this account. */
function trustedByHand(account: Account, history: AccountHistory): Decided | undefined {
  const trust = history.trusts.find((each) => isTrustedWith(account, each, history));
  if (!trust || trust.whitelistedAt === null) return undefined;
  return { state: "whitelisted", at: trust.whitelistedAt };
}

/**
 * The newest answer of a bank about an account, whichever payee it was asked for, where it speaks against the account.
 * Undefined: it does not, or a person has approved the account since, knowing it.
 * @param account with the payee's name for it, or that of the payment where it is no payee's
 * @param answers what banks said of the account, also where it is no payee's
 */
export function findAnswerAgainst(
  account: BankDetails,
  histories: readonly AccountHistory[],
  answers: readonly AccountAnswer[] = [],
): BankAnswerFact | undefined {
  const about = histories.flatMap(({ verifications }) => verifications.filter((each) => isSame(each, account)));
  const said = [
    ...about.map(({ id, ...each }) => ({ ...each, id: id as string | null, at: answeredAt({ id, ...each }) })),
    // When the bank was asked: the question's own row is written a moment later than that.
    ...answers.map(({ verificationId, ...each }) => ({
      ...each,
      id: verificationId,
      at: each.resultData?.checkedAt ?? each.answeredAt,
    })),
  ]
    .filter(({ outcome }) => ANSWERS.includes(outcome))
    .sort((a, b) => b.at - a.at);
  // A later answer about another name does not take back what the bank said about this name.
  const ofName = said.find(({ accountName }) => accountName === account.accountName);
  const against = [said[0], ofName].find((each) => each?.outcome && AGAINST.includes(each.outcome));
  if (!against?.outcome) return undefined;
  const { id, accountName, outcome, reasonCode, resultData, at } = against;
  if (histories.some((history) => isApprovedSince(account, history, at))) return undefined;
  const isNotFound = resultData?.bankVerdict === "account_not_found";
  return {
    verificationId: id,
    askedName: accountName,
    said: describeOutcome(outcome, isNotFound ? "account_not_found" : reasonCode).fact,
    bankName: resultData?.accountName ?? null,
    outcome,
    answeredAt: at,
  };
}

function isApprovedSince(account: Account, history: AccountHistory, since: number): boolean {
  const { verifications, trusts, takenOffWhitelistAt: takenOff } = history;
  const approvals = [
    ...verifications
      .filter((each) => each.status === "verified" && each.decider === "person" && isSame(each, account))
      .filter((each) => !isOfFormerName(each, history))
      .map(decidedAt),
    ...trusts.filter((each) => isTrustedWith(account, each, history)).map(({ whitelistedAt }) => whitelistedAt ?? 0),
  ];
  return approvals.some((at) => at >= since && (takenOff === null || takenOff < at));
}

const toKnown = (account: Account, history: AccountHistory): KnownAccount => ({
  bsb: account.bsb,
  maskedAccountNumber: maskAccountNumber(account.accountNumber),
  standing: standingOf(account, history),
});

/** How long a changed account is called new. */
const NEW_FOR_MS = 30 * DAY_MS;

/** How the payee came to its account, while that is new or the payee is not trusted with it. */
export function lastChangeOf(payee: PayeeFacts, history: AccountHistory, now: number): LastChangeFact | undefined {
  if (payee.bankDetailsChangedAt === null) return undefined;
  const all = formerAccounts(payee, history.changes);
  const { changedAt } = all[0] ?? {};
  const former = all
    .filter((account) => !isSame(account, payee))
    .map(({ changedAt: until, ...account }) => ({ ...toKnown(account, history), until }));
  const before = former.find(({ standing }) => isTrusted(standing)) ?? former[0];
  if (changedAt === undefined || !before) return undefined;
  const status = payeeStatus({ ...payee, renamedAt: payee.renamedAt ?? null }, payee.latest);
  const isOpen = status !== "whitelisted" && status !== "verified" && changedAt >= payee.bankDetailsChangedAt;
  if (!isOpen && now - changedAt > NEW_FOR_MS) return undefined;
  return { changedAt, standing: standingOf(payee, history), former: before };
}

/** What is said of the payee that had an account before. */
export function formerHolderOf(
  account: Account,
  { payeeId, name, until, isArchived }: FormerHolder,
  history: AccountHistory,
): FormerHolderFact {
  const now = isArchived ? null : toKnown(history.account, history);
  return { payeeId, name, changedAt: until, account: { standing: standingOf(account, history), now } };
}

const PAYEES_PER_STATEMENT = 500;
/** More than a payee has in several years; anything older says nothing about an account that is paid today. */
const VERIFICATIONS_PER_PAYEE = 50;
const CHANGES_PER_PAYEE = 50;

type Row = Pick<AccountHistory, "payeeId" | "takenOffWhitelistAt" | "renamedAt"> & {
  accountName: string;
  bsb: string;
  accountNumber: string;
  whitelisted: number;
  whitelistedAt: number | null;
  whitelistedById: string | null;
  formerTrust: string | null;
  verifications: string;
  changes: string;
};

const limit = (rows: number) => sql.raw(String(rows));

const OF_VERIFICATION = [
  "id",
  "accountName",
  "bsb",
  "accountNumber",
  "status",
  "method",
  "outcome",
  "reasonCode",
  "disputedByPayeeAt",
  "createdAt",
  "completedAt",
] as const;
const VERIFICATION_COLUMNS = sql.raw(OF_VERIFICATION.map((name) => `"${name}"`).join(", "));
const VERIFICATION_FIELDS = sql.raw(OF_VERIFICATION.map((name) => `'${name}', "${name}"`).join(", "));

/**
 * What was found out about the accounts that these payees have and had, by payee: some hundred of them in one statement. Of
 * each the newest verifications and changes are read, so the rows read depend on the payees asked for only.
 */
export async function listAccountHistories(
  services: ReadServices,
  organizationId: string,
  payeeIds: readonly string[],
): Promise<Map<string, AccountHistory>> {
  const parts = inParts([...new Set(payeeIds)], PAYEES_PER_STATEMENT);
  const read = await Promise.all(parts.map((part) => readHistories(services, organizationId, part)));
  return new Map(read.flat().map((history) => [history.payeeId, history]));
}

async function readHistories(
  { db }: ReadServices,
  organizationId: string,
  payeeIds: readonly string[],
): Promise<AccountHistory[]> {
  const rows =
    await db.all<Row>(sql`SELECT "payee"."id" AS "payeeId", "payee"."accountName", "payee"."bsb", "payee"."accountNumber",
      "payee"."takenOffWhitelistAt", "payee"."renamedAt", "payee"."whitelisted", "payee"."whitelistedAt", "payee"."whitelistedById",
      "payee"."formerTrust",
      (SELECT json_group_array(json_object(${VERIFICATION_FIELDS}, 'resultData', json("resultData"),
          'decider', (SELECT CASE WHEN "decidedById" IS NULL THEN 'rule' ELSE 'person' END FROM "decisions"
            WHERE "organizationId" = "payee"."organizationId" AND "verificationId" = "walk"."id"),
          'calledAt', (SELECT max("call"."createdAt") FROM "verification_calls" AS "call"
            WHERE "call"."organizationId" = "payee"."organizationId" AND "call"."verificationId" = "walk"."id"
              AND "call"."outcome" = 'confirmed' AND "call"."noProof" IS NULL)))
        FROM (SELECT ${VERIFICATION_COLUMNS}, "resultData" FROM "verifications"
          WHERE "organizationId" = "payee"."organizationId" AND "payeeId" = "payee"."id"
          ORDER BY "id" DESC LIMIT ${limit(VERIFICATIONS_PER_PAYEE)}) AS "walk") AS "verifications",
      (SELECT json_group_array(json_object('field', "field", 'oldValue', "oldValue", 'createdAt', "createdAt"))
        FROM (SELECT "field", "oldValue", "createdAt" FROM "payee_changes"
          WHERE "organizationId" = "payee"."organizationId" AND "payeeId" = "payee"."id"
            AND "field" IN ('bsb', 'accountNumber')
          ORDER BY "id" DESC LIMIT ${limit(CHANGES_PER_PAYEE)}) AS "walk") AS "changes"
    FROM json_each(${JSON.stringify(payeeIds)}) AS "wanted" CROSS JOIN "payees" AS "payee"
    WHERE "payee"."organizationId" = ${organizationId} AND "payee"."id" = "wanted"."value"`);
  return rows.map(toHistory);
}

function toHistory({ verifications, changes, formerTrust, ...row }: Row): AccountHistory {
  const { payeeId, accountName, bsb, accountNumber, takenOffWhitelistAt, renamedAt } = row;
  const { whitelisted, whitelistedAt, whitelistedById } = row;
  const former: FormerTrust | null = formerTrust === null ? null : JSON.parse(formerTrust);
  return {
    payeeId,
    account: { accountName, bsb, accountNumber },
    takenOffWhitelistAt,
    renamedAt,
    trusts: [
      ...(whitelisted === 1 ? [{ bsb, accountNumber, whitelistedAt, isByPerson: whitelistedById !== null }] : []),
      ...(former ? [{ ...former, isByPerson: former.whitelistedById !== null }] : []),
    ],
    verifications: JSON.parse(verifications),
    changes: JSON.parse(changes),
  };
}

/** Whether anything of this organisation was lost by a restore of the database, at any time. */
export async function findAnyLostPayment({ db }: ReadServices, organizationId: string): Promise<boolean> {
  const rows = await db.all(
    sql`SELECT 1 AS "one" FROM "lost_payments" WHERE "organizationId" = ${organizationId} LIMIT 1`,
  );
  return rows.length > 0;
}

type Lost = NonNullable<FurtherFacts["lostPayment"]>;

/**
 * The payment of the same amount to the same account that was lost, by the place of the payment that is asked about. What
 * was lost is not known by its reference: people write it anew. It is looked for as long as a duplicate is.
 */
export async function findLostPayments(
  { db, secrets }: Pick<Services, "db" | "secrets">,
  organizationId: string,
  { asked, now }: { asked: readonly Pick<ReadPayment, "account" | "amount">[]; now: number },
): Promise<ReadonlyMap<number, Lost>> {
  const fingerprints = new Map<string, string[]>();
  for (const { account } of asked) {
    const key = accountKey(account);
    if (!fingerprints.has(key)) fingerprints.set(key, await fingerprintsOfAccount({ secrets }, account));
  }
  const given = asked.flatMap(({ account, amount }, place) =>
    (fingerprints.get(accountKey(account)) ?? []).map((fingerprint) => [place, fingerprint, amount]),
  );
  const rows = await db.all<Lost & { place: number }>(
    sql`SELECT "asked"."value" ->> 0 AS "place", "lost"."paymentId" AS "id", "lost"."createdAt" AS "recordedAt"
      FROM json_each(${JSON.stringify(given)}) AS "asked" CROSS JOIN "lost_payments" AS "lost"
      WHERE "lost"."organizationId" = ${organizationId} AND "lost"."accountFingerprint" = "asked"."value" ->> 1
        AND "lost"."amount" = "asked"."value" ->> 2 AND "lost"."createdAt" > ${now - DUPLICATE_DAYS * DAY_MS}
      ORDER BY "lost"."createdAt"`,
  );
  return new Map(rows.map(({ place, ...lost }) => [place, lost]));
}
