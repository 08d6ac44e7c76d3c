import { payeeFindings } from "@db/database";
import { SCREEN_ROWS } from "@db/key-set-page";
import { and, eq, sql } from "drizzle-orm";
import { formatBsb, institutionOf, maskAccountNumber } from "~/kernel/bank-account";
import { toCsv, toCsvLines } from "~/kernel/csv";
import { formatDate, formatDateTime, formatRelative } from "~/kernel/dates";
import type { HealthKind } from "~/kernel/enums";
import type { PayeeStatus, RedFlag } from "~/kernel/payee";
import { KINDS_IN_ORDER, maySeeKind, riskOf } from "~/modules/payees/payee-health/health";
import { type HealthRun, listRuns } from "~/modules/payees/payee-health/health.server";
import { bankWord, tellBank } from "~/modules/payees/verifications/account-questions.server";
import { type Actor, type Asking, canWrite, type ReadServices, type Services } from "~/services-and-actor";
import { type PayeeFilter, payeesHref } from "./payee-list";
import { countPayees, type ListedPayee, listPayees, type PayeesQuery, type readPayeesQuery } from "./payee-list.server";
import { gradeOfListed, type PayeeHeadline, standingOf } from "./payee-standing";

/**
 * The parts of the payee list that can be read before the person's permissions are known: a page of rows, the counts
 * for the filters (not during a search) and the health runs.
 */
export const readPayees = (services: ReadServices, actor: Asking, query: PayeesQuery) =>
  Promise.all([
    listPayees(services, actor, { limit: SCREEN_ROWS, ...query }),
    query.q ? undefined : countPayees(services, actor),
    listRuns(services, actor),
  ]);

/** Builds the list page from what was read. Account numbers are masked: the full ones stay on the server. */
export async function showPayees(
  services: Services,
  actor: Actor,
  { q, filter }: ReturnType<typeof readPayeesQuery>,
  [list, counts, runs]: Awaited<ReturnType<typeof readPayees>>,
) {
  const isWriter = canWrite(actor);
  const now = services.clock.now();
  const showDay = (ms: number) => `${formatDate(ms, actor.timeZone)}, ${formatRelative(ms, now)}`;
  return {
    rows: await toRows(services, actor, list.payees, runs, showDay),
    query: { q, filter },
    counts: counts && countsOfFilters(counts),
    canAdd: isWriter,
    previousHref: list.previous && payeesHref({ q, filter, before: list.previous }),
    nextHref: list.next && payeesHref({ q, filter, after: list.next }),
  };
}

/** One line of the list. */
export type PayeeLine = Awaited<ReturnType<typeof toRows>>[number];

async function toRows(
  services: Services,
  actor: Actor,
  payees: readonly ListedPayee[],
  runs: readonly HealthRun[],
  show: (ms: number) => string,
) {
  const now = services.clock.now();
  const findings = await findFindingsOf(services, actor, payees, runs);
  const share = sharer();
  return payees.map((payee) => {
    const { id, name, accountName, bsb, accountNumber, question } = payee;
    const standing = standingOf(payee, now);
    const { status, flags, headline, grade, verifiedAt } = standing;
    const isInGrade = question?.outcome === "match" && gradeOfListed(payee)?.name.startsWith("bank_");
    const said = bankWord(question);
    const bankAgainstAt = said?.isAgainst ? said.at : null;
    const found = riskOf({ ...standing, bankAgainstAt }, findings.get(id) ?? null);
    return {
      ...{ status, headline: share(headline), grade, risk: share(found) },
      /** The bank's last answer about the payee, in short; null: it was never asked, or the grade says the same. */
      bank: isInGrade ? null : tellBank(question, actor),
      isDraft: payee.draftSince !== null,
      /** Other warnings, one word each; warnings that the headline or status already shows are left out. */
      flagWords: share(wordsOf(flags, status, headline)),
      paidAt: payee.lastPaymentDate ? show(payee.lastPaymentDate) : null,
      institution: institutionOf(bsb)?.name ?? null,
      // What differs from row to row comes last, which makes the page smaller.
      ...{ bsb, id, name, accountName },
      maskedAccountNumber: maskAccountNumber(accountNumber),
      verifiedAt: verifiedAt ? show(verifiedAt) : null,
    };
  });
}

/** Makes equal values one object, so that the page sends each to the browser once, however many rows use it. */
function sharer() {
  const kept = new Map<string, unknown>();
  return <Value>(value: Value): Value => {
    const key = JSON.stringify(value);
    if (!kept.has(key)) kept.set(key, value);
    return kept.get(key) as Value;
  };
}

const FLAG_WORDS: Readonly<Record<RedFlag, string | null>> = {
  disputed: null,
  details_changed: "Details not verified",
  renamed: "Name not verified",
  former_account: "Another payee's former account",
  contact_and_bank_changed: "Contact and bank changed",
};

function wordsOf(flags: readonly RedFlag[], status: PayeeStatus, headline: PayeeHeadline): readonly string[] {
  const words = flags.flatMap((flag) => FLAG_WORDS[flag] ?? []);
  const isSaid = (word: string) =>
    word === headline.verdict?.word ||
    (word === FLAG_WORDS.details_changed && status === "changed" && !headline.verdict);
  return words.filter((word) => !isSaid(word));
}

type Found = { kinds: HealthKind[]; startedAt: number };

/**
 * The last finished health run's findings for the payees of a page, by payee id. A payee that the run did not check has
 * no entry; one without findings has an empty list. Each is looked up by key, so the number of rows read depends on the
 * page.
 */
async function findFindingsOf(
  services: ReadServices,
  actor: Actor,
  payees: readonly ListedPayee[],
  runs: readonly HealthRun[],
): Promise<Map<string, Found>> {
  const last = runs.find(({ status }) => status === "finished");
  if (!last) return new Map();
  const { id: runId, startedAt, totals } = last;
  const looked = payees.filter(({ createdAt }) => createdAt < startedAt).map(({ id }) => id);
  const kinds = KINDS_IN_ORDER.filter((kind) => totals[kind] && maySeeKind(actor, kind));
  const rows = await services.db
    .select({ payeeId: payeeFindings.payeeId, kind: payeeFindings.kind })
    .from(payeeFindings)
    .where(
      and(
        eq(payeeFindings.organizationId, actor.organizationId),
        eq(payeeFindings.runId, runId),
        sql`${payeeFindings.kind} IN (SELECT "value" FROM json_each(${JSON.stringify(kinds)}))`,
        sql`${payeeFindings.payeeId} IN (SELECT "value" FROM json_each(${JSON.stringify(looked)}))`,
      ),
    );
  const found = new Map<string, Found>(looked.map((id) => [id, { kinds: [], startedAt }]));
  for (const { payeeId, kind } of rows) found.get(payeeId)?.kinds.push(kind);
  return found;
}

type Counts = { payees?: number; archivedPayees?: number; whitelistedPayees?: number; pendingVerifications?: number };

/** How many payees each filter selects, for filters with a count. */
export function countsOfFilters(counts: Counts): Partial<Record<PayeeFilter, number>> {
  const { payees = 0, archivedPayees = 0, whitelistedPayees = 0, pendingVerifications = 0 } = counts;
  return {
    all: payees - archivedPayees,
    whitelisted: whitelistedPayees,
    not_whitelisted: payees - archivedPayees - whitelistedPayees,
    pending: pendingVerifications,
    archived: archivedPayees,
  };
}

const ROWS_PER_READ = 400;
const HEADINGS = [
  "Payee",
  "Account name",
  "BSB",
  "Account number",
  "ABN",
  "Email",
  "Phone",
  "Status",
  "How it was verified",
  "Last verified",
  "What the bank said",
  "Last paid",
  "Risk",
  "Findings",
];

/** The payee list for a spreadsheet, read page by page while it is sent; account numbers are masked. */
export async function writePayeesFile(services: Services, actor: Actor, query: PayeesQuery) {
  const runs = await listRuns(services, actor);
  return { name: "payees.csv", lines: readLines(services, actor, query, runs) };
}

async function* readLines(services: Services, actor: Actor, { q, filter }: PayeesQuery, runs: readonly HealthRun[]) {
  yield toCsv(HEADINGS, []);
  const show = (ms: number) => formatDateTime(ms, actor.timeZone);
  let after: string | undefined;
  do {
    const page = await listPayees(services, actor, { q, filter, after, limit: ROWS_PER_READ });
    const rows = await toRows(services, actor, page.payees, runs, show);
    yield toCsvLines(
      rows.map(({ name, accountName, bsb, maskedAccountNumber, status, grade, verifiedAt, bank, paidAt, risk }, at) => {
        const { abn = null, email = null, phone = null } = page.payees[at] ?? {};
        return [
          ...[name, accountName, formatBsb(bsb), maskedAccountNumber, abn, email, phone, status, grade],
          ...[verifiedAt, bank, paidAt, risk.word, risk.title],
        ];
      }),
    );
    after = page.next;
  } while (after !== undefined);
}
