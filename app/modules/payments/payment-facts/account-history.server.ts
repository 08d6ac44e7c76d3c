import { sql } from "drizzle-orm";
import { inParts } from "~/kernel/all-in-order";
import { accountKey, maskAccountNumber } from "~/kernel/bank-account";
import { DAY_MS, MINUTE_MS } from "~/kernel/dates";
import type { CheckOutcome, VerificationMethod, VerificationStatus } from "~/kernel/enums";
import { type Account, approvedAt, type BankDetails, type FormerTrust, payeeStatus } from "~/kernel/payee";
import { fingerprintsOfAccount } from "~/modules/core/payee-keys";
import { type AccountChange, type FormerHolder, formerAccounts } from "~/modules/payees/verifications/evidence.server";
import { describeOutcome, gradeFactsOf, gradeOf, inSentence } from "~/modules/payees/verifications/outcomes";
import type { ResultData } from "~/modules/payees/verifications/verification";
import { type AccountStanding, isTrusted, type KnownAccount } from "~/modules/rules/account-standing";
import type { BankAnswerFact, FormerHolderFact, LastChangeFact, PayeeFacts, PaymentFacts } from "~/modules/rules/facts";
import type { ReadServices, Services } from "~/services-and-actor";
import type { SeenRows } from "./facts.server";

/**
 * What is known about the present and former accounts of payees: the banks' answers, who verified them, and whether
 * they are accounts of staff. Instants in epoch milliseconds.
 */

/** The parts of a payee's verification that concern its account. */
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
  /** Null: nobody has decided, or the decision is not on record. */
  decider: "person" | "rule" | null;
  /** When the payee confirmed the details in a call that counts; null: there was none. */
  calledAt: number | null;
};

/** When a person put a payee on the whitelist, and its account at the time. */
type Trust = Account & { whitelistedAt: number | null; isByPerson: boolean };

/** A payee's accounts over time, and what was found out about them. */
export type AccountHistory = {
  payeeId: string;
  /** The present account. */
  account: BankDetails;
  takenOffWhitelistAt: number | null;
  /** When the payee was last renamed; null: never. */
  renamedAt: number | null;
  /** The whitelisting of the present account, if any; and of the account before an undecided change of bank details. */
  trusts: Trust[];
  /** Newest first. */
  verifications: AccountVerification[];
  /** Changes of the BSB and account number, newest first. */
  changes: AccountChange[];
};

/** The outcomes in which a bank contradicts an account. */
export const AGAINST: readonly CheckOutcome[] = ["no_match", "account_closed", "account_not_shared"];
/** The outcomes in which a bank says something about the account: not a refused consent, or an unavailable bank. */
const ANSWERS: readonly (CheckOutcome | null)[] = ["match", "close_match", ...AGAINST];

const isSame = (one: Account, other: Account) => accountKey(one) === accountKey(other);

const answeredAt = ({ resultData, completedAt, createdAt }: AccountVerification): number =>
  resultData?.checkedAt ?? completedAt ?? createdAt;

const decidedAt = ({ completedAt, createdAt }: AccountVerification): number => completedAt ?? createdAt;

/** The last decision about an account of this payee, and what that decision rested on. */
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

/** True if the account was approved under another account or payee name: both names are part of what was verified. */
function isOfFormerName(verification: AccountVerification, { account, renamedAt }: AccountHistory): boolean {
  if (verification.status !== "verified" || !isSame(verification, account)) return false;
  // Compare accounts with `isSameAccount`, because one account can be written in several ways.
  const approval = { ...account, accountName: verification.accountName, completedAt: decidedAt(verification) };
  return approvedAt({ ...account, renamedAt }, approval) === null;
}

/** True if the payee was whitelisted with this account. For the present account, a later rename cancels that. */
const isTrustedWith = (account: Account, trust: Trust, { account: today, renamedAt }: AccountHistory): boolean =>
  trust.isByPerson &&
  isSame(trust, account) &&
  !(isSame(account, today) && renamedAt !== null && (trust.whitelistedAt ?? 0) <= renamedAt);

/** True if a person took the payee off the whitelist after the decision, while it had this account. */
function isTakenBack(account: Account, history: AccountHistory, decided: number): boolean {
  const { takenOffWhitelistAt: takenOff, account: today, changes } = history;
  if (takenOff === null || takenOff < decided) return false;
  const former = isSame(account, today)
    ? undefined
    : formerAccounts(today, changes).find((each) => isSame(each, account));
  return former === undefined || takenOff <= former.changedAt;
}

type Decided = Exclude<AccountStanding, { state: "none" }>;

/** What a verification decided about its account; undefined: nothing. A pending one cancels nothing. */
function judge(verification: AccountVerification): Decided | undefined {
  const { status, disputedByPayeeAt } = verification;
  if (status === "verified") return { state: "verified", how: howVerified(verification), at: decidedAt(verification) };
  if (disputedByPayeeAt !== null) return { state: "disputed", at: disputedByPayeeAt };
  return status === "rejected" ? { state: "rejected", at: decidedAt(verification) } : undefined;
}

/** What an approval rests on, worded for the middle of a sentence: the grade that the verification's own page shows. */
function howVerified({ calledAt, ...verification }: AccountVerification): string {
  const grade = gradeOf(gradeFactsOf({ ...verification, isCalledBack: calledAt === null ? 0 : 1 }));
  return grade ? inSentence(grade) : "";
}

/** The decision of a person who whitelisted the payee with this account. */
function trustedByHand(account: Account, history: AccountHistory): Decided | undefined {
  const trust = history.trusts.find((each) => isTrustedWith(account, each, history));
  if (!trust || trust.whitelistedAt === null) return undefined;
  return { state: "whitelisted", at: trust.whitelistedAt };
}

/**
 * The newest bank answer about an account, if it contradicts the account, whichever payee the bank was asked for.
 * Undefined: it does not, or a person who knew of it has approved the account since.
 * @param account with the payee's name for it, or the payment's when it belongs to no payee
 * @param answers the banks' answers about the account, including those asked for no payee
 */
export function findAnswerAgainst(
  account: BankDetails,
  histories: readonly AccountHistory[],
  answers: readonly AccountAnswer[] = [],
): BankAnswerFact | undefined {
  const about = histories.flatMap(({ verifications }) => verifications.filter((each) => isSame(each, account)));
  const said = [
    ...about.map(({ id, ...each }) => ({ ...each, id: id as string | null, at: answeredAt({ id, ...each }) })),
    // The time at which the bank was asked, which is slightly before its row was written.
    ...answers.map(({ verificationId, ...each }) => ({
      ...each,
      id: verificationId,
      at: each.resultData?.checkedAt ?? each.answeredAt,
    })),
  ]
    .filter(({ outcome }) => ANSWERS.includes(outcome))
    .sort((a, b) => b.at - a.at);
  // A later answer about a different name does not cancel the answer about this name.
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

/** How long a changed account counts as new. */
const NEW_FOR_MS = 30 * DAY_MS;

/** How the payee's account came about, while it is new or not trusted. */
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

/** The facts about the payee that used an account before. */
export function formerHolderOf(
  account: Account,
  { payeeId, name, until, isArchived }: FormerHolder,
  history: AccountHistory,
): FormerHolderFact {
  const now = isArchived ? null : toKnown(history.account, history);
  return { payeeId, name, changedAt: until, account: { standing: standingOf(account, history), now } };
}

const PAYEES_PER_STATEMENT = 500;
/** More than a payee accumulates in several years; older ones say nothing about an account that is paid today. */
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
 * The account histories of these payees, by payee: one statement for about a hundred payees. Only the newest
 * verifications and changes of each are read, so the number of rows depends only on how many payees are asked for.
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

async function readHistories({ db }: ReadServices, organizationId: string, payeeIds: readonly string[]) {
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

/** Which of these accounts belong to the organisation's staff. Without accounts, nothing is queried. */
export async function findStaffAccounts(
  { db, secrets }: Pick<Services, "db" | "secrets">,
  organizationId: string,
  accounts: readonly Account[],
): Promise<(account: Account) => boolean> {
  if (accounts.length === 0) return () => false;
  const byFingerprint = new Map<string, string>();
  for (const account of new Map(accounts.map((each) => [accountKey(each), each])).values()) {
    for (const digest of await fingerprintsOfAccount({ secrets }, account)) {
      byFingerprint.set(digest, accountKey(account));
    }
  }
  const rows = await db.all<{ accountFingerprint: string }>(
    sql`SELECT "accountFingerprint" FROM json_each(${JSON.stringify([...byFingerprint.keys()])}) AS "asked"
      CROSS JOIN "staff_accounts" WHERE "organizationId" = ${organizationId} AND "accountFingerprint" = "asked"."value"`,
  );
  const staff = new Set(rows.map(({ accountFingerprint }) => byFingerprint.get(accountFingerprint)));
  return (account) => staff.has(accountKey(account));
}

/**
 * That no newer unfavourable answer has come, and that the one the rules saw is unchanged. Where they saw one, only an
 * answer that is newer than it and than a minute before the decision counts: they saw the older ones, even where this
 * one counted because it is about this very name. Where they saw none, any answer written since counts, whenever the
 * bank gave it; payees are left out, because a first answer changes their newest verification or opens one, which is
 * compared elsewhere.
 */
export function answersAsSeen(organizationId: string, facts: readonly PaymentFacts[]): SeenRows[] {
  const against = sql.raw(AGAINST.map((outcome) => `'${outcome}'`).join(", "));
  return [
    {
      rows: facts.flatMap(({ payee, account, bankAnswer: answer, now }) => {
        const { bsb, accountNumber } = account;
        if (answer) return [[bsb, accountNumber, Math.max(answer.answeredAt, now - MINUTE_MS), 1]];
        return payee ? [] : [[bsb, accountNumber, now, 0]];
      }),
      changed: sql`CROSS JOIN "account_questions" AS "said" WHERE "said"."organizationId" = ${organizationId}
        AND "said"."bsb" = "seen"."value" ->> 0 AND "said"."accountNumber" = "seen"."value" ->> 1
        AND CASE WHEN "seen"."value" ->> 3 THEN coalesce("said"."resultData" ->> '$.checkedAt', "said"."answeredAt")
          ELSE "said"."answeredAt" END > "seen"."value" ->> 2
        AND "said"."outcome" IN (${against})`,
    },
    {
      rows: facts.flatMap(({ bankAnswer: answer }) =>
        answer?.verificationId ? [[answer.verificationId, answer.outcome, answer.answeredAt]] : [],
      ),
      changed: sql`LEFT JOIN "verifications" AS "asked" ON "asked"."organizationId" = ${organizationId} AND "asked"."id" = "seen"."value" ->> 0
        WHERE "asked"."outcome" IS NOT "seen"."value" ->> 1
          OR coalesce("asked"."resultData" ->> '$.checkedAt', "asked"."completedAt", "asked"."createdAt") IS NOT "seen"."value" ->> 2`,
    },
  ];
}

/** A bank's answer about an account, and the name it was asked about. */
export type AccountAnswer = BankDetails & {
  verificationId: string | null;
  outcome: CheckOutcome;
  reasonCode: string | null;
  resultData: ResultData | null;
  answeredAt: number;
};

const ACCOUNTS_PER_STATEMENT = 2_000;

/** The banks' answers about these accounts, whatever the name, by `accountKey`. */
export async function listAnswersAbout({ db }: ReadServices, organizationId: string, accounts: readonly Account[]) {
  const found = new Map<string, AccountAnswer[]>();
  const asked = [...new Map(accounts.map((account) => [accountKey(account), account])).values()];
  for (const part of inParts(asked, ACCOUNTS_PER_STATEMENT)) {
    const pairs = JSON.stringify(part.map(({ bsb, accountNumber }) => [bsb, accountNumber]));
    const rows = await db.all<Omit<AccountAnswer, "resultData"> & { resultData: string | null }>(
      sql`SELECT "known"."bsb", "known"."accountNumber", "known"."accountName", "known"."verificationId", "known"."outcome",
          "known"."reasonCode", "known"."resultData", "known"."answeredAt"
        FROM json_each(${pairs}) AS "asked" CROSS JOIN "account_questions" AS "known"
        WHERE "known"."organizationId" = ${organizationId} AND "known"."bsb" = "asked"."value" ->> 0
          AND "known"."accountNumber" = "asked"."value" ->> 1 AND "known"."answeredAt" IS NOT NULL`,
    );
    for (const { resultData, ...row } of rows) {
      const key = accountKey(row);
      const answer = { ...row, resultData: resultData === null ? null : JSON.parse(resultData) };
      found.set(key, [...(found.get(key) ?? []), answer]);
    }
  }
  return found;
}
