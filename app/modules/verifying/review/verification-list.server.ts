import { bankChecks, columnsOf, decisions, payees, users, verifications } from "@db/database";
import { and, desc, eq, gte, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { formatBsb, maskAccountNumber } from "~/kernel/bank-account";
import type { CsvCell } from "~/kernel/csv";
import { endOfDay, formatDate, formatDateTime, startOfDay } from "~/kernel/dates";
import { CHECK_OUTCOMES, VERIFICATION_METHODS, VERIFICATION_STATUSES } from "~/kernel/enums";
import { addressDay, addressId } from "~/kernel/fields.schema.server";
import { firstIdOf } from "~/kernel/ids";
import { appPaths } from "~/kernel/paths/app";
import { VERIFICATION_STATUS_LOOKS } from "~/kernel/status-words";
import { displayName } from "~/kernel/text";
import { listAuditedPeople } from "~/modules/core/audit/audit.server";
import { gradeFactsOf, gradeOf } from "~/modules/payees/verifications/outcomes";
import { showVerdict } from "~/modules/payees/verifications/standing";
import { shownStatus } from "~/modules/payees/verifications/verification";
import { deciders, isRunning, verdictColumns } from "~/modules/payees/verifications/verification.server";
import type { Actor, Asking, ReadServices, Services } from "~/services-and-actor";
import { methodLabels, methodOf, OUTCOME_LABELS, verificationsHref } from "./verification-list";

const filterSchema = z.object({
  status: z.enum(VERIFICATION_STATUSES).optional().catch(undefined),
  outcome: z
    .enum([...CHECK_OUTCOMES, "none"])
    .optional()
    .catch(undefined),
  method: z.enum(VERIFICATION_METHODS).optional().catch(undefined),
  person: addressId,
  from: addressDay,
  to: addressDay,
  after: addressId,
});

/** Filters that are not set are absent. Days are `YYYY-MM-DD` in the organisation's time zone. */
export type VerificationFilter = Omit<z.infer<typeof filterSchema>, "after">;

/** Parses the list's address into a filter; invalid values are ignored, so an old link still works. */
export function readVerificationFilter(params: URLSearchParams): { filter: VerificationFilter; after?: string } {
  const cursor = params.get("cursor");
  const { after, ...filter } = filterSchema.parse({
    ...Object.fromEntries(params),
    ...(cursor ? { after: cursor } : {}),
  });
  return { filter, after };
}

export const LIST_PAGE_SIZE = 50;
/** How many verifications one page searches: where few match, the page ends there and the next goes on. */
const WALK = 1_000;

type Asked = { filter: VerificationFilter; timeZone: string; after?: string; limit?: number };

export async function readVerificationsPage(services: Services, actor: Actor, params: URLSearchParams) {
  const { filter, after } = readVerificationFilter(params);
  const { timeZone } = actor;
  const [list, people] = await Promise.all([
    listVerificationsOf(services, actor, { filter, timeZone, after }),
    listAuditedPeople(services, actor),
  ]);
  const { providerName } = services.bankData;
  const reader = { timeZone, providerName, now: services.clock.now() };
  return {
    rows: list.verifications.map((row) => toListedRow(row, reader)),
    filter,
    people,
    methods: methodLabels(services.instantBankData ? "Bank data provider" : providerName),
    isPartial: list.isPartial,
    firstHref: after && verificationsHref(filter),
    nextHref: list.next && verificationsHref(filter, { after: list.next }),
    csvHref: verificationsHref(filter, {}, appPaths.verificationsCsv),
  };
}

/** One page of the verifications, newest first. The rows read are bounded, however few match the filter. */
export async function listVerificationsOf(services: ReadServices, actor: Asking, asked: Asked) {
  const { limit = LIST_PAGE_SIZE } = asked;
  const walk = walkOf(services, actor, asked);
  const [found, [end]] = await Promise.all([
    services.db
      .select({ id: walk.id })
      .from(walk)
      .leftJoin(
        decisions,
        and(eq(decisions.organizationId, actor.organizationId), eq(decisions.verificationId, walk.id)),
      )
      .where(fits(walk, asked.filter))
      .orderBy(desc(walk.id))
      .limit(limit + 1),
    services.db.select({ last: sql<string | null>`min(${walk.id})`, looked: sql<number>`count(*)` }).from(walk),
  ]);
  const ids = found.slice(0, limit).map(({ id }) => id);
  const isFull = found.length > limit;
  const next = isFull ? ids.at(-1) : end?.looked === WALK ? (end.last ?? undefined) : undefined;
  return { verifications: await readListed(services, actor, ids), next, isPartial: !isFull && next !== undefined };
}

/** The newest verifications with these dates and this status, along their index, up to the walk's limit. */
function walkOf({ db }: ReadServices, { organizationId }: Asking, { filter, timeZone, after }: Asked) {
  const { status, from, to } = filter;
  return db
    .select(columnsOf(verifications, "id", "outcome", "method", "requestedById"))
    .from(verifications)
    .where(
      and(
        eq(verifications.organizationId, organizationId),
        status && eq(verifications.status, status),
        after === undefined ? undefined : lt(verifications.id, after),
        from === undefined ? undefined : gte(verifications.id, firstIdOf(startOfDay(from, timeZone))),
        to === undefined ? undefined : lt(verifications.id, firstIdOf(endOfDay(to, timeZone))),
      ),
    )
    .orderBy(desc(verifications.id))
    .limit(WALK)
    .as("walk");
}

function fits(walk: ReturnType<typeof walkOf>, { outcome, method, person }: VerificationFilter): SQL | undefined {
  const answered = outcome === "none" ? isNull(walk.outcome) : outcome && eq(walk.outcome, outcome);
  const who = person && or(eq(walk.requestedById, person), eq(decisions.decidedById, person));
  return and(answered, method && eq(walk.method, method), who || undefined);
}

const listColumns = {
  ...verdictColumns,
  decision: { createdAt: decisions.createdAt, reason: decisions.reason },
  decidedBy: { firstName: deciders.firstName, lastName: deciders.lastName },
};

async function readListed({ db }: ReadServices, { organizationId }: Asking, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return db
    .select(listColumns)
    .from(verifications)
    .innerJoin(
      payees,
      and(eq(payees.organizationId, verifications.organizationId), eq(payees.id, verifications.payeeId)),
    )
    .leftJoin(users, eq(users.id, verifications.requestedById))
    .leftJoin(
      decisions,
      and(eq(decisions.organizationId, verifications.organizationId), eq(decisions.verificationId, verifications.id)),
    )
    .leftJoin(deciders, eq(deciders.id, decisions.decidedById))
    .leftJoin(bankChecks, isRunning)
    .where(
      and(
        eq(verifications.organizationId, organizationId),
        sql`${verifications.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
      ),
    )
    .orderBy(desc(verifications.id));
}

type Listed = Awaited<ReturnType<typeof readListed>>[number];

type Reader = { timeZone: string; now: number; providerName: string };

/** Who decided: a person, or PayeeProof if a rule did; null while it is undecided. */
const deciderOf = ({ decision, decidedBy }: Listed): string | null =>
  decision && (decidedBy ? displayName(decidedBy) : "PayeeProof");

const verdictOf = (listed: Listed, now: number) =>
  listed.status === "pending" ? showVerdict({ ...listed, isCheckRunning: listed.checkStep !== null }, now) : null;

const gradeText = (listed: Listed): string | null => gradeOf(gradeFactsOf(listed))?.text ?? null;

/** One row of the list, decided or not. The account number is masked. */
export function toListedRow(listed: Listed, reader: Reader) {
  const { payee, requestedBy, decision } = listed;
  return {
    id: listed.id,
    payeeName: payee.name,
    account: `${formatBsb(listed.bsb)} ${maskAccountNumber(listed.accountNumber)}`,
    accountName: listed.accountName,
    status: shownStatus(listed),
    /** The grade; null: it is not verified. */
    grade: gradeText(listed),
    /** Its state, in the words of the review queue; null once it is decided. */
    verdict: verdictOf(listed, reader.now),
    outcome: OUTCOME_LABELS[listed.outcome ?? "none"],
    score: listed.nameMatchScore,
    method: methodOf(listed, reader.providerName),
    requestedBy: requestedBy ? displayName(requestedBy) : "System",
    decidedBy: deciderOf(listed),
    decidedAt: decision && formatDateTime(decision.createdAt, reader.timeZone),
    openedOn: formatDate(listed.createdAt, reader.timeZone),
  };
}

export const CSV_HEAD = [
  "Verification",
  "Payee",
  "Account name",
  "BSB",
  "Account number (masked)",
  "Status",
  "How it was verified",
  "Verdict",
  "Changed",
  "Result",
  "Score",
  "Method",
  "Requested by",
  "Opened",
  "Decided by",
  "Decided",
  "Reason",
] as const;

export function toCsvRow(listed: Listed, { timeZone, providerName, now }: Reader): CsvCell[] {
  const { payee, requestedBy, decision } = listed;
  const verdict = verdictOf(listed, now);
  return [
    listed.id,
    payee.name,
    listed.accountName,
    formatBsb(listed.bsb),
    maskAccountNumber(listed.accountNumber),
    VERIFICATION_STATUS_LOOKS[shownStatus(listed)].word,
    gradeText(listed),
    verdict?.word ?? null,
    verdict?.changed ?? null,
    OUTCOME_LABELS[listed.outcome ?? "none"],
    listed.nameMatchScore,
    methodOf(listed, providerName),
    requestedBy ? displayName(requestedBy) : "System",
    formatDateTime(listed.createdAt, timeZone),
    deciderOf(listed),
    decision && formatDateTime(decision.createdAt, timeZone),
    decision?.reason ?? null,
  ];
}
