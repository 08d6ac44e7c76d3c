import { type Condition, columnsOf, paymentFileLines } from "@db/database";
import { and, eq, isNull, sql } from "drizzle-orm";
import { AppError } from "~/kernel/app-error";
import { accountKey } from "~/kernel/bank-account";
import { nameLines } from "~/kernel/file-problem";
import { formatAud } from "~/kernel/money";
import type { Account } from "~/kernel/payee";
import { capital } from "~/kernel/text";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import {
  approvalLimitOf,
  findFileSettings,
  findSameDaySums,
  sameDaySumsFit,
  startOfTheDay,
} from "~/modules/payments/approval-limits.server";
import { listPayeesOfOwnWork } from "~/modules/payments/approvers.server";
import type { Actor, ReadServices, Services } from "~/services-and-actor";
import type { DecidableLine } from "./decide-lines.server";
import { sumOf } from "./payment-file";
import { linesOf, type PaymentFileDetail } from "./payment-file.server";

/* Who may approve lines of a file: the role's approval limit, the second person, and when a passkey is needed. */

/**
 * Decides whether the total, or the day's payments to one payee, requires a passkey.
 * @returns `fits`: the condition for a decision written without a passkey
 */
export async function findPasskeyRule(
  services: Services,
  actor: Actor,
  file: PaymentFileDetail,
  lines: readonly DecidableLine[],
): Promise<{ isAsked: boolean; fits: Condition<"limit_reached">[] }> {
  const { passkeyForApprovals, passkeyAboveCents: most } = await findPolicy(services, actor.organizationId);
  if (!passkeyForApprovals || lines.length === 0) return { isAsked: false, fits: [] };
  if (sumOf(lines) > most) return { isAsked: true, fits: [] };
  const { paidTo, staysWithin } = await sumsOfDay(services, actor, file, lines);
  return lines.some((line) => paidTo(line) > most)
    ? { isAsked: true, fits: [] }
    : { isAsked: false, fits: [staysWithin(most)] };
}

/**
 * @returns the condition that must still hold at commit, and the lines that are the person's own work without being
 * barred, about which other administrators are told
 * @throws AppError 403 SECOND_PERSON_REQUIRED, APPROVAL_LIMIT
 */
export async function requireMayApprove(
  services: Services,
  actor: Actor,
  file: PaymentFileDetail,
  lines: readonly DecidableLine[],
): Promise<{ fits: Condition<"limit_reached">[]; ownWork: ReadonlySet<number> }> {
  const { organizationId, userId } = actor;
  const [policy, settings] = await Promise.all([
    findPolicy(services, organizationId),
    findFileSettings(services, organizationId),
  ]);
  const limit = approvalLimitOf(settings, actor.organizationRole);
  const fits = limit === null ? [] : [await requireWithinLimit(services, actor, { file, lines, limit })];
  const payeeIds = [...new Set(lines.flatMap(({ payeeId }) => payeeId ?? []))];
  const ownPayees = await listPayeesOfOwnWork(services, { organizationId, userId }, payeeIds);
  const own = lines
    .filter(({ payeeId }) => file.uploadedById === userId || ownPayees.has(payeeId ?? ""))
    .map(({ line }) => line);
  if (policy.secondPersonRequired && own.length > 0) throw secondPersonRequired(own);
  return { fits, ownWork: new Set(own) };
}

/**
 * Refuses a total to one payee above the limit, counting all its lines in the file and what was authorised today, so
 * that splitting a sum does not get round the limit.
 *
 * @returns the condition that nothing more has been authorised to these payees
 * @throws AppError 403 APPROVAL_LIMIT
 */
async function requireWithinLimit(
  services: Services,
  actor: Actor,
  { file, lines, limit }: { file: PaymentFileDetail; lines: readonly DecidableLine[]; limit: number },
): Promise<Condition<"limit_reached">> {
  const { paidTo, staysWithin } = await sumsOfDay(services, actor, file, lines);
  const above = lines.filter((line) => paidTo(line) > limit);
  if (above.length > 0)
    throw aboveApprovalLimit(
      limit,
      above.map(({ line }) => line),
      above.some(({ amount }) => amount <= limit),
    );
  return staysWithin(limit);
}

/** What this file and today's payments pay to each line's payee, and the condition that it stays in an amount. */
async function sumsOfDay(
  services: Services,
  { organizationId, timeZone }: Actor,
  file: PaymentFileDetail,
  lines: readonly DecidableLine[],
) {
  const since = startOfTheDay(services.clock.now(), timeZone);
  const [ofFile, sameDayOf] = await Promise.all([
    sumByAccount(services, file, organizationId, lines),
    findSameDaySums(services, organizationId, { recipients: lines, since }),
  ]);
  const ofFileTo = (line: DecidableLine) => ofFile.get(accountKey(line)) ?? line.amount;
  return {
    paidTo: (line: DecidableLine) => ofFileTo(line) + sameDayOf(line),
    staysWithin: (most: number) => {
      const rooms = new Map(lines.map((line) => [accountKey(line), { ...line, mostCents: most - ofFileTo(line) }]));
      return sameDaySumsFit(organizationId, [...rooms.values()], { since });
    },
  };
}

/**
 * The cents that the file would pay to each line's account once the lines are approved. Cleared lines are left out
 * because they are payments by now.
 */
async function sumByAccount(
  { db }: ReadServices,
  { id }: PaymentFileDetail,
  organizationId: string,
  lines: readonly DecidableLine[],
): Promise<Map<string, number>> {
  const authorised = await db
    .select({
      ...columnsOf(paymentFileLines, "bsb", "accountNumber"),
      cents: sql<number>`sum(${paymentFileLines.amount})`,
    })
    .from(paymentFileLines)
    .where(
      and(
        ...linesOf({ organizationId, fileId: id }),
        eq(paymentFileLines.status, "authorised"),
        isNull(paymentFileLines.paymentId),
        sql`${paymentFileLines.bsb} IN (SELECT value FROM json_each(${JSON.stringify(lines.map(({ bsb }) => bsb))}))`,
      ),
    )
    .groupBy(paymentFileLines.bsb, paymentFileLines.accountNumber);
  const total = new Map<string, number>();
  const add = (account: Account, cents: number) =>
    total.set(accountKey(account), (total.get(accountKey(account)) ?? 0) + cents);
  for (const { cents, ...account } of authorised) add(account, cents);
  for (const line of lines) add(line, line.amount);
  return total;
}

const secondPersonRequired = (lines: readonly number[]) =>
  new AppError(
    "SECOND_PERSON_REQUIRED",
    `Your organisation requires a second person: you uploaded this file, entered bank details that it pays here or in the accounting system they came from, or connected that system. ${capital(nameLines(lines))} must be approved by someone else.`,
    { extra: { lines } },
  );

const aboveApprovalLimit = (limitCents: number, lines: readonly number[], isOfSum = false) =>
  new AppError(
    "APPROVAL_LIMIT",
    `You may approve payments up to ${formatAud(limitCents)}. ${capital(nameLines(lines))} ${lines.length === 1 ? "is" : "are"} above it${isOfSum ? ", because payments to one payee in a day count together" : ""}.`,
    { extra: { lines, approvalLimitCents: limitCents } },
  );
