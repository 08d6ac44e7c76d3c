import { type SQL, sql } from "drizzle-orm";
import { namesOfEntity } from "~/kernel/abn";
import { allInOrder, allNamed, inParts } from "~/kernel/all-in-order";
import { notFound } from "~/kernel/app-error";
import { accountKey, describeInstitution, maskAccountNumber } from "~/kernel/bank-account";
import type { Account, BankDetails } from "~/kernel/payee";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { rangesOfNames } from "~/modules/core/payee-keys";
import {
  findAgainstDomain,
  findDirectoryEntries,
  findDomainAnswers,
  findRegisterAnswers,
} from "~/modules/directories/directory.server";
import type { RegisterAnswer } from "~/modules/directories/register";
import { type PreparedName, prepareName, scoreIfAlike } from "~/modules/name-match/index";
import {
  type Candidate,
  type FormerHolder,
  findFormerHolders,
  findLookalikeDomains,
  listInRanges,
} from "~/modules/payees/verifications/evidence.server";
import { findOwnLimits, findPaymentLimits, sameDaySumsHold } from "~/modules/payments/approval-limits.server";
import { findNamesake, isApprovedAsItIs } from "~/modules/rules/account-rules";
import type { FurtherFacts, PaymentFacts } from "~/modules/rules/facts";
import { noInvoiceSeen } from "~/modules/rules/invoice-and-bill-rules";
import type { ReadServices, Services } from "~/services-and-actor";
import {
  type AccountHistory,
  AGAINST,
  answersAsSeen,
  findAnswerAgainst,
  findStaffAccounts,
  formerHolderOf,
  lastChangeOf,
  listAccountHistories,
  listAnswersAbout,
  standingOf,
} from "./account-history.server";
import { findPayees, type KnownPayee, payeesAsSeen, unknownAccountsAsSeen } from "./payees.server";
import {
  duplicatesAsSeen,
  findBills,
  findDuplicates,
  findInvoicesOfPayments,
  findLostPayments,
  invoicesAsSeen,
} from "./purpose.server";

export type FactsServices = Pick<Services, "db" | "clock" | "secrets">;

/** A payment whose facts are wanted. */
export type AskedPayment = {
  to: { payeeId: string } | BankDetails;
  /** Integer cents, Australian dollars. */
  amount: number;
  reference: string;
  /** Facts that only the caller knows: how the lines of one file relate to each other. */
  further?: Pick<Partial<FurtherFacts>, "otherTitles" | "earlierLine" | "newDetails">;
  /** Set for a line of a file that a person approved. */
  approvedById?: string | null;
};

/** What all the payments have in common. */
export type PaymentsOf = {
  organizationId: string;
  /** Who records the payments or uploaded their file; null: no person did. */
  recordedById: string | null;
  /** The payment file whose lines these payments are: payments that its clearing recorded are no duplicates. */
  fileId?: string;
  /** How many characters of a name the file can hold; null: all. */
  nameWidth: number | null;
};

/** A payment with its payee, if any, and the account that the money goes to. */
export type ReadPayment = AskedPayment & { payee: KnownPayee | null; account: BankDetails };

/**
 * Gathers the facts of each payment, and the organisation's rule levels. Each statement asks about many payments at
 * once, so a file of twenty thousand lines needs no query per line. The number of rows read does not depend on how many
 * payees or payments the organisation has.
 *
 * @throws AppError 404 for a payee id that is missing or another organisation's
 */
export async function gatherFacts(services: FactsServices, of: PaymentsOf, payments: readonly AskedPayment[]) {
  const { organizationId } = of;
  const now = services.clock.now();
  const [policy, limits, payees, hasStaffAccounts, hasBills, hasLost, hasInvoices] = await allInOrder([
    findPolicy(services, organizationId),
    findPaymentLimits(services, organizationId),
    findPayees(services, organizationId, { recipients: payments.map(({ to }) => to), now }),
    hasAny(services, organizationId, "staff_accounts"),
    hasAny(services, organizationId, "accounting_bills"),
    hasAny(services, organizationId, "lost_payments"),
    hasAny(services, organizationId, "invoices"),
  ]);
  const asked = payments.map((payment, place) => withAccount(payment, payees.at(place) ?? null));
  const [further, ownLimitOf] = await allInOrder([
    readFurther(services, of, { asked, payees: payees.all, now, hasStaffAccounts, hasBills, hasLost, hasInvoices }),
    findOwnLimits(services, of, asked, { limits, now, timeZone: policy.timeZone }),
  ]);
  const shared = {
    now,
    timeZone: policy.timeZone,
    reverifyAfterMonths: policy.reverifyAfterMonths,
    firstPaymentLimitCents: policy.firstPaymentLimitCents,
    approvalLimitCents: limits.memberLimitCents ?? limits.adminLimitCents,
    workingHours: limits.workingHours,
    nameWidth: of.nameWidth,
  };
  const asksForInvoices = (policy.ruleLevels[noInvoiceSeen.id] ?? noInvoiceSeen.defaultLevel) !== "off";
  const facts = asked.map((payment, index) => ({
    ...shared,
    ...factsOfPayment(payment, index, further),
    invoices: further.invoices.get(index) ?? (asksForInvoices ? [] : undefined),
    accountingOrigin: originFact(payment.payee, policy.secondPersonRequired, of.recordedById),
    ownLimit: ownLimitOf(payment),
  }));
  return { facts, levels: policy.ruleLevels };
}

/** True if the organisation has any row in this table, so that most organisations need no further question. */
async function hasAny(
  { db }: ReadServices,
  organizationId: string,
  table: "staff_accounts" | "accounting_bills" | "lost_payments" | "invoices",
): Promise<boolean> {
  const rows = await db.all(
    sql`SELECT 1 AS "one" FROM ${sql.identifier(table)} WHERE "organizationId" = ${organizationId} LIMIT 1`,
  );
  return rows.length > 0;
}

/** Rows of what the rules saw, and SQL that is put after them, `AS "seen"`, and finds those that changed since. */
export type SeenRows = { rows: readonly (readonly (string | number | null)[])[]; changed: SQL };

/** How many rows one condition takes: about 1.3 MB, below the size limit of a bound value. */
const ROWS_PER_CONDITION = 10_000;

/**
 * The condition that everything the rules saw is still true at commit: no payee was edited, disputed, taken off the
 * whitelist or decided about; no bank gave a new answer about its account; no accounting system showed a different
 * account; no unknown account became a payee's; no equal payment was recorded; and nothing more was authorised to the
 * payee today where a daily limit applies. When a payment is already held for a kind of finding, one more of that kind
 * changes nothing, so only a payment for which none was found must be checked again.
 */
export function factsHold(owner: Pick<PaymentsOf, "organizationId" | "fileId">, facts: readonly PaymentFacts[]) {
  const { organizationId } = owner;
  const seen = [
    payeesAsSeen(organizationId, facts),
    ...answersAsSeen(organizationId, facts),
    invoicesAsSeen(organizationId, facts),
    unknownAccountsAsSeen(organizationId, facts),
    duplicatesAsSeen(owner, facts),
  ];
  const conditions = seen.flatMap(({ rows, changed }) => {
    const distinct = [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
    return inParts(distinct, ROWS_PER_CONDITION).map((part) => ({
      name: "facts_changed" as const,
      found: sql`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(part)}) AS "seen" ${changed})`,
    }));
  });
  return [...conditions, ...sameDaySumsHold(organizationId, facts)];
}

type Asked = {
  asked: readonly ReadPayment[];
  payees: readonly KnownPayee[];
  now: number;
  hasStaffAccounts: boolean;
  hasBills: boolean;
  hasLost: boolean;
  hasInvoices: boolean;
};

/** Reads the facts that depend on the payees. */
async function readFurther(
  services: FactsServices,
  of: PaymentsOf,
  { asked, payees, now, hasStaffAccounts, hasBills, hasLost, hasInvoices }: Asked,
) {
  const { organizationId } = of;
  const accounts = asked.map(({ account }) => account);
  const unknown = asked.flatMap(({ payee, account }) => (payee ? [] : [account]));
  const unknownNames = unknown.map(({ accountName }) => accountName);
  const abns = payees.map(({ abn }) => abn);
  const { namesakes, formerHoldersOf, banksSaid, ...read } = await allNamed({
    bsbProblems: findBsbProblems(services, accounts),
    duplicates: findDuplicates(services, of, { now, asked }),
    isStaff: findStaffAccounts(services, organizationId, hasStaffAccounts ? accounts : []),
    namesakes: findNamesakes(services, organizationId, unknownNames),
    formerHoldersOf: findFormerHolders(
      services,
      organizationId,
      asked.filter(mayBeAnothers).map(({ account }) => account),
    ),
    lookalikes: findLookalikeDomains(
      services,
      organizationId,
      payees.map(({ facts, email }) => ({ ...facts, email })),
    ),
    answers: findRegisterAnswers(services, abns),
    domainOf: findDomainAnswers(
      services,
      payees.map(({ email }) => email),
    ),
    bills: hasBills ? findBills(services, organizationId, { asked, now }) : new Map<number, never>(),
    lost: hasLost ? findLostPayments(services, organizationId, { asked, now }) : new Map<number, never>(),
    invoices: hasInvoices ? findInvoicesOfPayments(services, of, { asked, now }) : new Map<number, never>(),
    banksSaid: listAnswersAbout(services, organizationId, accounts),
  });
  const answersOf = ({ account }: ReadPayment) => banksSaid.get(accountKey(account)) ?? [];
  const isSpokenAgainst = (payment: ReadPayment) => answersOf(payment).some(({ outcome }) => AGAINST.includes(outcome));
  const holderOf = ({ payee, account }: ReadPayment) => otherHolder(formerHoldersOf(account), payee);
  const namesakesOf = ({ payee, account }: ReadPayment) => (payee ? undefined : namesakes.get(account.accountName));
  const histories = await listAccountHistories(services, organizationId, [
    ...payees.flatMap((payee) => (isWorthTelling(payee) ? [payee.facts.id] : [])),
    ...asked.flatMap((payment) => (payment.payee && isSpokenAgainst(payment) ? [payment.payee.facts.id] : [])),
    ...asked.flatMap((payment) => {
      const holder = holderOf(payment);
      const namesake = findNamesake(namesakesOf(payment), holder?.payeeId);
      return [holder?.payeeId, namesake?.payeeId].filter((id) => id !== undefined);
    }),
  ]);
  return {
    now,
    ...read,
    holderOf,
    namesakesOf,
    answersOf,
    histories,
  };
}

/** False once a person has approved the account for its present payee, which settles whose account it is. */
const mayBeAnothers = ({ payee }: ReadPayment): boolean =>
  !payee || payee.facts.archivedAt !== undefined || !isApprovedAsItIs(payee.facts);

/** True if the history matters: a bank contradicted an account, or the account changed. For most neither is so. */
const isWorthTelling = ({ hasAnswerAgainst, facts }: KnownPayee): boolean =>
  hasAnswerAgainst || facts.bankDetailsChangedAt !== null;

/** A payee that used the account last and is not its present holder, or that is archived and still has it. */
const otherHolder = (holders: readonly FormerHolder[], payee: KnownPayee | null): FormerHolder | undefined =>
  holders.find(({ payeeId, isArchived }) => isArchived || payeeId !== payee?.facts.id);

/** The facts about this payment that come from the account histories of payees. */
function factsOfAccounts(payment: ReadPayment, known: Awaited<ReturnType<typeof readFurther>>): Partial<PaymentFacts> {
  const { payee, account } = payment;
  const { histories, now } = known;
  const own = payee ? histories.get(payee.facts.id) : undefined;
  const holder = known.holderOf(payment);
  const before = holder && histories.get(holder.payeeId);
  const formerHolder = holder && before && formerHolderOf(account, holder, before);
  const told = [own, before].filter((history) => history !== undefined);
  return {
    formerHolder,
    bankAnswer: findAnswerAgainst(payee?.facts ?? account, told, known.answersOf(payment)),
    lastChange: payee && own ? lastChangeOf(payee.facts, own, now) : undefined,
    namesakes: withStanding(known.namesakesOf(payment), formerHolder, histories),
  };
}

/** Adds the standing of its account to the former holder that the rules report. */
function withStanding(
  namesakes: PaymentFacts["namesakes"],
  formerHolder: PaymentFacts["formerHolder"],
  histories: ReadonlyMap<string, AccountHistory>,
): PaymentFacts["namesakes"] {
  const told = findNamesake(namesakes, formerHolder?.payeeId);
  const history = told && histories.get(told.payeeId);
  if (!history) return namesakes;
  return namesakes?.map((each) => (each === told ? { ...each, standing: standingOf(history.account, history) } : each));
}

function factsOfPayment(payment: ReadPayment, index: number, known: Awaited<ReturnType<typeof readFurther>>) {
  const { to, amount, reference, further: ofFile, payee, account } = payment;
  return {
    amount,
    reference,
    account,
    givenName: "payeeId" in to ? null : to.accountName,
    otherTitles: ofFile?.otherTitles,
    earlierLine: ofFile?.earlierLine,
    newDetails: ofFile?.newDetails,
    bsbProblem: known.bsbProblems.get(account.bsb) ?? null,
    duplicate: known.duplicates.get(index) ?? null,
    lostPayment: known.lost.get(index),
    isStaffAccount: known.isStaff(account),
    payee: payee?.facts ?? null,
    formerBsbs: payee?.formerBsbs,
    editsInLastDay: payee?.editsInLastDay,
    lastReturned: payee?.lastReturned,
    accountingChange: payee?.accountingChange,
    bills: known.bills.get(index),
    lookalikeDomain: payee ? (known.lookalikes.get(payee.facts.id) ?? null) : undefined,
    register: payee ? registerFact(payee.abn, known.answers) : undefined,
    emailDomain: payee ? findAgainstDomain(payee.email, known.domainOf(payee.email), known.now) : undefined,
    ...factsOfAccounts(payment, known),
  };
}

/** That the account came from an accounting system, if this is the first payment to it or one person's work. */
function originFact(payee: KnownPayee | null, secondPersonRequired: boolean, recordedById: string | null) {
  const origin = payee?.accountingOrigin;
  if (!origin) return undefined;
  const { system, cameAt, editedBy, isEditorKnown, isPaid, trustedById } = origin;
  const isAlone = secondPersonRequired && !isEditorKnown && isOnePerson(trustedById, recordedById);
  if (isPaid && !isAlone) return undefined;
  return { system, cameAt, editedBy, isEditorKnown, isFirstPayment: !isPaid, isOnePerson: isAlone };
}

/**
 * True if one person alone is responsible for a payment to an account with an unknown editor: the person recording it
 * also trusted the payee. That person may be the unknown editor, so somebody else has to check.
 *
 * @param trustedById whose decision made the payee trusted with its present account; null: a rule's. Undefined: it is
 * not trusted, which holds payments anyway
 * @param recordedById who recorded the payment or uploaded its file; null: no person
 */
export const isOnePerson = (trustedById: string | null | undefined, recordedById: string | null): boolean =>
  recordedById !== null && trustedById === recordedById;

/** Where the money goes: the payee's stored account, with the name that the payment gives. */
function withAccount(payment: AskedPayment, payee: KnownPayee | null): ReadPayment {
  const { to } = payment;
  if ("payeeId" in to) {
    if (!payee) throw notFound();
    const { accountName, bsb, accountNumber } = payee.facts;
    return { ...payment, payee, account: { accountName, bsb, accountNumber } };
  }
  const { bsb, accountNumber } = payee?.facts ?? to;
  return { ...payment, payee, account: { accountName: to.accountName, bsb, accountNumber } };
}

/** What the business register says about the payee's ABN; undefined when it has not answered. */
function registerFact(abn: string | null, answers: ReadonlyMap<string, RegisterAnswer>): PaymentFacts["register"] {
  const answer = abn === null ? undefined : answers.get(abn);
  if (abn === null || !answer) return undefined;
  const { entry } = answer;
  if (!entry) return { abn, state: "not_found", names: [] };
  return { abn, state: entry.isActive ? "active" : "cancelled", names: namesOfEntity(entry) };
}

/** By BSB, why it cannot be paid, as a sentence; BSBs without a problem are absent. */
async function findBsbProblems({ db }: ReadServices, accounts: readonly Account[]): Promise<Map<string, string>> {
  const bsbs = [...new Set(accounts.map(({ bsb }) => bsb))];
  const entryOf = await findDirectoryEntries({ db }, bsbs);
  const problems = new Map<string, string>();
  for (const bsb of bsbs) {
    const institution = describeInstitution(bsb, entryOf(bsb));
    const problem = institution ? institution.problem : "No institution has this BSB.";
    if (problem) problems.set(bsb, problem);
  }
  return problems;
}

/** Payees that a name in a file could be meant to imitate, found through the search index. */

/** The longest words of a name are the most distinctive; searching for two finds the payee even if one is misspelt. */
const RANGES_PER_NAME = 2;

const MAX_NAMESAKES = 3;

/** For each name with an unknown account: the payees with that name, compared as a bank compares names. */
export async function findNamesakes(services: ReadServices, organizationId: string, names: readonly string[]) {
  const distinct = [...new Set(names)];
  const rangesOf = new Map(distinct.map((name) => [name, rangesOfNames([name]).slice(0, RANGES_PER_NAME)]));
  const candidatesIn = await listInRanges(services, organizationId, [...rangesOf.values()].flat());
  const prepared = new Map<string, PreparedName>();
  return new Map(
    [...rangesOf].map(([name, ranges]) => {
      const near = new Map(ranges.flatMap(candidatesIn).map((payee) => [payee.id, payee]));
      if (near.size === 0) return [name, []];
      const asked = prepareName(name);
      const alike = [...near.values()]
        .flatMap((payee) => {
          const found = scoreIfAlike(asked, prepareOnce(prepared, payee.accountName));
          return found ? [{ payee, score: found.score }] : [];
        })
        .sort((a, b) => b.score - a.score)
        .slice(0, MAX_NAMESAKES);
      return [name, alike.map(({ payee }) => toNamesake(payee))];
    }),
  );
}

/** Many names of a file are compared with the same payees, so each payee name is prepared once. */
function prepareOnce(prepared: Map<string, PreparedName>, name: string): PreparedName {
  const known = prepared.get(name) ?? prepareName(name);
  prepared.set(name, known);
  return known;
}

const toNamesake = ({ id, name, bsb, accountNumber }: Candidate) => ({
  payeeId: id,
  name,
  bsb,
  maskedAccountNumber: maskAccountNumber(accountNumber),
});
