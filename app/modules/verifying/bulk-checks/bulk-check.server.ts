import {
  accountQuestions,
  bankChecks,
  bulkBankQuestions,
  bulkCheckPayees,
  bulkChecks,
  type Condition,
  columnsOf,
  payees,
  rowIn,
  type Statement,
  users,
  verifications,
} from "@db/database";
import { and, desc, eq, gt, isNull, lt, sql } from "drizzle-orm";
import * as z from "zod";
import { notFound } from "~/kernel/app-error";
import { isMobile } from "~/kernel/phone";
import { cleanLine } from "~/kernel/text";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { chosenPayees } from "~/modules/payees/payee-fields.server";
import { findListedPayees, type ListedPayee, listPayees, type PayeesPage } from "~/modules/payees/payee-list.server";
import { findReviewFlags } from "~/modules/payees/verifications/review-flags";
import { headlineOf } from "~/modules/payees/verifications/verdict";
import { flagColumns, flagColumnsOfPayee, gradeColumns } from "~/modules/payees/verifications/verification.server";
import type { Obstacle } from "~/modules/verifying/bank-checks/ask-automatically.server";
import type { Asking, ReadServices, TimedServices } from "~/services-and-actor";
import {
  ASKED_PER_STEP,
  BULK_FILTERS,
  type BulkChoice,
  type Judgement,
  judgePayee,
  PAID_CHOICES,
  VERIFIED_CHOICES,
} from "./bulk-check";

const MAX_QUERY = 200;

/** The choice of payees in an address or form. Invalid values are ignored, so a link never fails. */
const choiceSchema = z.object({
  q: z
    .string()
    .transform((text) => cleanLine(text.slice(0, MAX_QUERY)) || undefined)
    .optional()
    .catch(undefined),
  status: z.enum(BULK_FILTERS).default("all").catch("all"),
  verified: z.enum(VERIFIED_CHOICES).default("never").catch("never"),
  paid: z.enum(PAID_CHOICES).default("any").catch("any"),
  ask: z.literal("bank").optional().catch(undefined),
});

export function readChoice(values: URLSearchParams | FormData): BulkChoice {
  const { status: filter, ...choice } = choiceSchema.parse(Object.fromEntries(values));
  return { ...choice, filter };
}

const NO_CHOICE = "Choose one of the values that the documentation lists";

/** The choice of payees in a call. Invalid values are refused: a wrong choice would ask the wrong payees. */
export const newBulkCheckSchema = z
  .strictObject({
    q: z
      .string("Words must be text")
      .max(MAX_QUERY, `Words have at most ${MAX_QUERY} characters`)
      .transform(cleanLine)
      .optional()
      .meta({ description: "Any part of a name, a BSB or an account number, as in the list of payees." }),
    status: z.enum(BULK_FILTERS, NO_CHOICE).default("all"),
    verified: z.enum(VERIFIED_CHOICES, NO_CHOICE).default("any").meta({
      description: "`never`: not for the details they have. `stale`: longer ago than the policy allows.",
    }),
    paid: z.enum(PAID_CHOICES, NO_CHOICE).default("any").meta({ description: "`year`: within the last 365 days." }),
    payeeIds: chosenPayees.optional().meta({ description: "These payees and no others. The rest is left out then." }),
  })
  .transform(({ status: filter, q, payeeIds, ...choice }, context): BulkChoice => {
    if (!payeeIds) return { ...choice, filter, ...(q ? { q } : {}) };
    if (q || filter !== "all" || choice.verified !== "any" || choice.paid !== "any") {
      context.addIssue({ code: "custom", path: ["payeeIds"], message: "Send either payeeIds or a choice, not both" });
    }
    return choiceOf(payeeIds);
  });

/** A choice of individual payees. */
export const choiceOf = (payeeIds: readonly string[], ask?: "bank"): BulkChoice => ({
  ...(ask && { ask }),
  ...{ filter: "all", verified: "any", paid: "any" },
  payeeIds: [...new Set(payeeIds)],
});

const afterSchema = z.coerce
  .number("A position must be a whole number")
  .int("A position must be a whole number")
  .positive("A position must be a whole number")
  .optional()
  .catch(undefined);

/** `after=POSITION` in the list of asked payees; `cursor=POSITION` in API calls. */
export const readPosition = (params: URLSearchParams): number | undefined =>
  afterSchema.parse(params.get("after") ?? params.get("cursor") ?? undefined);

export type BulkCheckRow = typeof bulkChecks.$inferSelect;

export async function findBulkCheck({ db }: ReadServices, { organizationId }: Asking, id: string) {
  const [row] = await db
    .select()
    .from(bulkChecks)
    .where(and(eq(bulkChecks.organizationId, organizationId), eq(bulkChecks.id, id)));
  return row;
}

/** @throws AppError 404, the same for an id that does not exist and one of another organisation */
export async function getBulkCheck(services: ReadServices, actor: Asking, id: string): Promise<BulkCheckRow> {
  const row = await findBulkCheck(services, actor, id);
  if (!row) throw notFound();
  return row;
}

const LISTED = 20;

/** The newest bulk checks, with the people who started them. */
export function listBulkChecks({ db }: ReadServices, { organizationId }: Asking) {
  return db
    .select({ check: bulkChecks, asker: { firstName: users.firstName, lastName: users.lastName } })
    .from(bulkChecks)
    .innerJoin(users, eq(users.id, bulkChecks.requestedById))
    .where(eq(bulkChecks.organizationId, organizationId))
    .orderBy(desc(bulkChecks.id))
    .limit(LISTED);
}

export const ASKED_PAGE_SIZE = 50;

/** Payees that were asked, most recent first, with the state of their verification. */
export async function listAsked(
  { db }: ReadServices,
  { organizationId }: Asking,
  { bulkCheckId, after }: { bulkCheckId: string; after?: number },
) {
  const rows = await db
    .select({
      ...columnsOf(bulkCheckPayees, "position", "verificationId"),
      payeeId: payees.id,
      payeeName: payees.name,
      ...columnsOf(verifications, "status", "reasonCode", "outcome", "notificationSentAt", "verifiedByPayee"),
      facts: flagColumns,
      payee: flagColumnsOfPayee,
      ...columnsOf(verifications, "method", "resultData"),
      ...gradeColumns("verifications"),
    })
    .from(bulkCheckPayees)
    .innerJoin(
      verifications,
      and(eq(verifications.organizationId, organizationId), eq(verifications.id, bulkCheckPayees.verificationId)),
    )
    .innerJoin(payees, and(eq(payees.organizationId, organizationId), eq(payees.id, verifications.payeeId)))
    .where(
      and(
        eq(bulkCheckPayees.organizationId, organizationId),
        eq(bulkCheckPayees.bulkCheckId, bulkCheckId),
        after === undefined ? undefined : lt(bulkCheckPayees.position, after),
      ),
    )
    .orderBy(desc(bulkCheckPayees.position))
    .limit(ASKED_PAGE_SIZE + 1);
  const shown = rows.slice(0, ASKED_PAGE_SIZE).map(({ facts, payee, ...row }) => {
    const flags = findReviewFlags({ ...facts, payee });
    const { status, outcome, reasonCode } = row;
    const { isRed, word } = headlineOf({ status, outcome, reasonCode, flags, isWaiting: false, check: null });
    /** `redWord`: the verdict's word if there is a reason not to pay. */
    return { ...row, redWord: isRed ? word : null };
  });
  return { rows: shown, next: rows.length > ASKED_PAGE_SIZE ? shown.at(-1)?.position : undefined };
}

const isOfQuestion = sql`${accountQuestions.bsb} = ${payees.bsb} AND ${accountQuestions.accountNumber} = ${payees.accountNumber}
  AND ${accountQuestions.accountName} = ${payees.accountName}`;

/** Payees whose banks a check asks, most recent first, with what the bank said about their present details. */
export async function listBanksAsked(
  { db }: ReadServices,
  { organizationId }: Asking,
  { bulkCheckId, after }: { bulkCheckId: string; after?: number },
) {
  const rows = await db
    .select({
      position: bulkBankQuestions.position,
      payeeId: payees.id,
      name: payees.name,
      question: {
        // First, because it is never null in an existing row: Drizzle uses the first column to detect a missing joined
        // row.
        ...columnsOf(accountQuestions, "wantedAt", "askedAt", "endedAt", "ended"),
        ...columnsOf(accountQuestions, "problem", "answeredAt", "outcome", "reasonCode"),
      },
    })
    .from(bulkBankQuestions)
    .innerJoin(payees, and(eq(payees.organizationId, organizationId), eq(payees.id, bulkBankQuestions.payeeId)))
    .leftJoin(accountQuestions, and(eq(accountQuestions.organizationId, organizationId), isOfQuestion))
    .where(
      and(
        eq(bulkBankQuestions.organizationId, organizationId),
        eq(bulkBankQuestions.bulkCheckId, bulkCheckId),
        after === undefined ? undefined : lt(bulkBankQuestions.position, after),
      ),
    )
    .orderBy(desc(bulkBankQuestions.position))
    .limit(ASKED_PAGE_SIZE + 1);
  const shown = rows.slice(0, ASKED_PAGE_SIZE);
  return { rows: shown, next: rows.length > ASKED_PAGE_SIZE ? shown.at(-1)?.position : undefined };
}

/** How many questions of a check are waiting or being asked. */
export async function countBanksWaiting(
  { db }: ReadServices,
  { organizationId, id }: Pick<BulkCheckRow, "organizationId" | "id">,
): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)` })
    .from(bulkBankQuestions)
    .innerJoin(payees, and(eq(payees.organizationId, organizationId), eq(payees.id, bulkBankQuestions.payeeId)))
    .innerJoin(accountQuestions, and(eq(accountQuestions.organizationId, organizationId), isOfQuestion))
    .where(
      and(
        eq(bulkBankQuestions.organizationId, organizationId),
        eq(bulkBankQuestions.bulkCheckId, id),
        isNull(accountQuestions.endedAt),
      ),
    );
  return row?.count ?? 0;
}

/** Ends a check's questions that have not been asked yet. An organisation has at most one running check. */
export const endBanksWaiting = ({ db, clock }: TimedServices, organizationId: string, problem: Obstacle | "stopped") =>
  db
    .update(accountQuestions)
    .set({ endedAt: clock.now(), ended: "not_asked", problem })
    .where(
      and(
        eq(accountQuestions.organizationId, organizationId),
        eq(accountQuestions.cause, "bulk_check"),
        isNull(accountQuestions.endedAt),
        isNull(accountQuestions.askedAt),
      ),
    );

export type AskedPayee = Awaited<ReturnType<typeof listAsked>>["rows"][number];

/** Which of these payees a bulk check has asked. */
export async function findAskedOf(
  { db }: ReadServices,
  { organizationId }: Asking,
  { bulkCheckId, payeeIds }: { bulkCheckId: string; payeeIds: readonly string[] },
): Promise<Set<string>> {
  const rows = await db
    .select({ payeeId: verifications.payeeId })
    .from(bulkCheckPayees)
    .innerJoin(
      verifications,
      and(eq(verifications.organizationId, organizationId), eq(verifications.id, bulkCheckPayees.verificationId)),
    )
    .where(
      and(
        eq(bulkCheckPayees.organizationId, organizationId),
        eq(bulkCheckPayees.bulkCheckId, bulkCheckId),
        sql`${verifications.payeeId} IN (SELECT "value" FROM json_each(${JSON.stringify(payeeIds)}))`,
      ),
    );
  return new Set(rows.map(({ payeeId }) => payeeId));
}

/** How many of the last asked payees have not been sent their message yet. */
export async function countOnTheWay(
  { db }: ReadServices,
  { organizationId, id, askedCount }: Pick<BulkCheckRow, "organizationId" | "id" | "askedCount">,
): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)` })
    .from(bulkCheckPayees)
    .innerJoin(
      bankChecks,
      and(eq(bankChecks.organizationId, organizationId), eq(bankChecks.verificationId, bulkCheckPayees.verificationId)),
    )
    .where(
      and(
        eq(bulkCheckPayees.organizationId, organizationId),
        eq(bulkCheckPayees.bulkCheckId, id),
        gt(bulkCheckPayees.position, askedCount - ASKED_PER_STEP),
        isNull(bankChecks.finishedAt),
        isNull(bankChecks.providerUserId),
      ),
    );
  return row?.count ?? 0;
}

type Seen = Pick<BulkCheckRow, "id" | "organizationId" | "version">;

const isIt = ({ id, organizationId }: Pick<Seen, "id" | "organizationId">) =>
  and(eq(bulkChecks.organizationId, organizationId), eq(bulkChecks.id, id));

/** The condition that nobody has advanced, started or stopped the bulk check since it was read. */
export function bulkCheckIsUnchanged({ db }: ReadServices, seen: Seen): Condition<"bulk_check_moved"> {
  const found = rowIn(db, bulkChecks).where(and(isIt(seen), eq(bulkChecks.version, seen.version)));
  return { name: "bulk_check_moved", found };
}

export const updateBulkCheck = ({ db }: ReadServices, seen: Seen, set: Partial<BulkCheckRow>): Statement =>
  db
    .update(bulkChecks)
    .set({ ...set, version: seen.version + 1 })
    .where(isIt(seen));

/** The cursor after a payee: in the list of pending verifications, it is the verification's id. */
export const keyOf = ({ choice }: Pick<BulkCheckRow, "choice">, payee: Pick<ListedPayee, "id" | "latest">): string =>
  choice.filter === "pending" && payee.latest ? payee.latest.id : payee.id;

/**
 * For a check of individually chosen payees: those not asked, each with its present state. Empty for a check by filter,
 * which may cover thousands.
 */
export async function findNotAsked(services: TimedServices, row: BulkCheckRow) {
  const { organizationId, id: bulkCheckId, choice } = row;
  if (!choice.payeeIds) return [];
  const [{ judged }, asked] = await Promise.all([
    readCandidates(services, { organizationId, choice, cursor: null }, choice.payeeIds.length),
    findAskedOf(services, { organizationId }, { bulkCheckId, payeeIds: choice.payeeIds }),
  ]);
  return judged
    .filter(({ payee }) => !asked.has(payee.id))
    .map(({ payee, judgement }) => ({ payeeId: payee.id, name: payee.name, judgement }));
}

/** The next payees after the cursor, each with what to do about it. */
export async function readCandidates(
  services: TimedServices,
  { organizationId, choice, cursor }: Pick<BulkCheckRow, "organizationId" | "choice" | "cursor">,
  limit: number,
): Promise<{ judged: { payee: ListedPayee; judgement: Judgement }[]; next?: string }> {
  const [page, { reverifyAfterMonths }] = await Promise.all([
    readPage(services, { organizationId, choice, cursor }, limit),
    findPolicy(services, organizationId),
  ]);
  const at = { now: services.clock.now(), reverifyAfterMonths };
  const judged = page.payees.map((payee) => {
    const mobile = payee.phone !== null && isMobile(payee.phone) ? payee.phone : null;
    return { payee, judgement: judgePayee({ ...payee, mobile }, choice, at) };
  });
  return { judged, next: page.next };
}

/** The next page after the cursor; individually chosen payees are few enough to be read at once. */
async function readPage(
  services: TimedServices,
  { organizationId, choice, cursor }: Pick<BulkCheckRow, "organizationId" | "choice" | "cursor">,
  limit: number,
): Promise<PayeesPage> {
  const { q, filter, payeeIds } = choice;
  if (!payeeIds) return listPayees(services, { organizationId }, { q, filter, after: cursor ?? undefined, limit });
  const left = payeeIds.filter((id) => cursor === null || id < cursor);
  return { payees: await findListedPayees(services, { organizationId }, left) };
}
