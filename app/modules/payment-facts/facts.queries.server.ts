import { accountKey } from "~/kernel/account-number";
import { notFound } from "~/kernel/app-error";
import { namesOf, type RegisterAnswer } from "~/modules/business-register/register";
import { findAnswers } from "~/modules/business-register/register.queries.server";
import type { PaymentFacts } from "~/modules/payment-rules/facts";
import type { Services } from "~/services";
import { findBsbProblems, findStaffAccounts } from "./account-facts.queries.server";
import type { AskedPayment, FactsContext, ReadPayment } from "./asked-payment";
import { findBills } from "./bills.queries.server";
import { findLookalikeDomains, findNamesakes } from "./candidates.queries.server";
import { findDuplicates } from "./duplicates.queries.server";
import { findFormerHolders } from "./former-accounts.queries.server";
import type { KnownPayee } from "./known-payee";
import { findPayees } from "./payees.queries.server";

export type FactsReading = Pick<Services, "db" | "clock" | "secrets">;

/**
 * What the rules look at, for each payment. Everything is asked in statements about many payments at once, so that one of
 * twenty thousand costs no query of its own. The rows read do not depend on how many payees or payments there are.
 *
 * @throws AppError 404 for a payee id that is missing or another organisation's
 */
export async function gatherFacts(
  services: FactsReading,
  context: FactsContext,
  payments: readonly AskedPayment[],
): Promise<PaymentFacts[]> {
  const { organizationId } = context;
  const now = services.clock.now();
  const payees = await findPayees(services, organizationId, { recipients: payments.map(({ to }) => to), now });
  const asked = payments.map((payment) => withAccount(payment, payees.of(payment.to) ?? null));
  const accounts = asked.map(({ account }) => account);
  const unknown = asked.flatMap(({ payee, account }) => (payee ? [] : [account]));
  const [bsbProblems, duplicates, isStaff, namesakes, formerHolders, lookalikes, answers, bills] = await Promise.all([
    findBsbProblems(services, accounts),
    findDuplicates(services, context, { now, asked }),
    findStaffAccounts(services, organizationId, accounts),
    findNamesakes(
      services,
      organizationId,
      unknown.map(({ accountName }) => accountName),
    ),
    findFormerHolders(services, organizationId, unknown),
    findLookalikeDomains(services, organizationId, payees.all),
    findAnswers(
      services,
      payees.all.map(({ abn }) => abn),
    ),
    findBills(services, organizationId, { asked, now }),
  ]);
  const shared = factsOfAll(context, now);
  return asked.map(({ to, amount, reference, further, payee, account }, index) => ({
    ...shared,
    amount,
    reference,
    account,
    givenName: "payeeId" in to ? null : to.accountName,
    otherTitles: further?.otherTitles,
    earlierLine: further?.earlierLine,
    newDetails: further?.newDetails,
    bsbProblem: bsbProblems.get(account.bsb) ?? null,
    duplicate: duplicates.get(index) ?? null,
    isStaffAccount: isStaff(account),
    payee: payee?.facts ?? null,
    formerBsbs: payee?.formerBsbs,
    editsInLastDay: payee?.editsInLastDay,
    lastReturned: payee?.lastReturned,
    accountingChange: payee?.accountingChange,
    bills: bills.get(index),
    lookalikeDomain: payee ? (lookalikes.get(payee.facts.id) ?? null) : undefined,
    register: payee ? registerFact(payee.abn, answers) : undefined,
    formerHolder: payee ? undefined : formerHolders.get(accountKey(account)),
    namesakes: payee ? undefined : namesakes.get(account.accountName),
  }));
}

/** Where the money goes: the payee's account as it is stored, under the name that the payment gives. */
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

const factsOfAll = ({ policy, limits, nameWidth }: FactsContext, now: number) => ({
  now,
  timeZone: policy.timeZone,
  reverifyAfterMonths: policy.reverifyAfterMonths,
  firstPaymentLimitCents: policy.firstPaymentLimitCents,
  approvalLimitCents: limits.memberLimitCents ?? limits.adminLimitCents,
  workingHours: limits.workingHours,
  nameWidth,
});

/** What the business register says of the payee's ABN; nothing where it has not answered. */
function registerFact(abn: string | null, answers: ReadonlyMap<string, RegisterAnswer>): PaymentFacts["register"] {
  const answer = abn === null ? undefined : answers.get(abn);
  if (abn === null || !answer) return undefined;
  const { entry } = answer;
  if (!entry) return { abn, state: "not_found", names: [] };
  return { abn, state: entry.isActive ? "active" : "cancelled", names: namesOf(entry) };
}
