import { payees } from "@db/database";
import { eq } from "drizzle-orm";
import { formatBsb, maskAccountNumber } from "~/kernel/bank-account";
import { CHART_HEIGHT, CHART_LEFT, CHART_WIDTH, type ChartView, drawBars, scaleOf } from "~/kernel/chart";
import { toCsv, toCsvLines } from "~/kernel/csv";
import { formatDate, showTime } from "~/kernel/dates";
import { HEALTH_KINDS, type HealthKind } from "~/kernel/enums";
import { isId } from "~/kernel/ids";
import { findDirectoryEntry } from "~/modules/directories/directory.server";
import { listQuestions, tellBank } from "~/modules/payees/verifications/account-questions.server";
import { type Actor, canWrite, type TimedServices } from "~/services-and-actor";
import { healthHref, KIND_TEXTS, KINDS_IN_ORDER, maySeeKind, scoreOf } from "./health";
import { type FindingKey, type HealthRun, listFindings, listRuns } from "./health.server";

const PAGE_SIZE = 50;
/** Any BSB will do: the look-up only finds out whether a directory is loaded. */
const ANY_BSB = "000000";
const NO_DIRECTORY = "whether BSBs are closed, merged or take no direct entry: no BSB directory is loaded.";

export type HealthPage = Awaited<ReturnType<typeof readHealthPage>>;

/**
 * Reads the health report: the counts of the last finished run, and one page of findings of the chosen kind. The number
 * of rows read depends on the page alone.
 */
export async function readHealthPage(services: TimedServices, actor: Actor, params: URLSearchParams) {
  const kind = HEALTH_KINDS.find((each) => each === params.get("kind") && maySeeKind(actor, each));
  const after = readAfter(params.get("after"));
  const [runs, [anyPayee]] = await Promise.all([
    listRuns(services, actor),
    services.db.select({ id: payees.id }).from(payees).where(eq(payees.organizationId, actor.organizationId)).limit(1),
  ]);
  const [newest] = runs;
  const last = runs.find(({ status }) => status === "finished");
  return {
    /** Null: no run has finished yet. */
    report: last ? await toReport(services, actor, last, runs) : null,
    running: newest?.status === "running" ? { payeeCount: newest.payeeCount } : null,
    hasFailed: newest?.status === "failed",
    list: last && kind ? await listPage(services, actor, { runId: last.id, kind, after }) : null,
    /** The reader may archive and check payees. */
    canChange: canWrite(actor),
    hasPayees: anyPayee !== undefined,
    canStart: canWrite(actor) && anyPayee !== undefined && newest?.status !== "running",
  };
}

/** Parses `after=CENTS.PAYEE`; invalid values are ignored. */
function readAfter(text: string | null): { cents: number; payeeId: string } | undefined {
  const [, cents = "", payeeId = ""] = /^(\d{1,15})\.(.+)$/.exec(text ?? "") ?? [];
  return isId(payeeId) ? { cents: Number(cents), payeeId } : undefined;
}

async function toReport(services: TimedServices, actor: Actor, last: HealthRun, runs: readonly HealthRun[]) {
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  const kinds = KINDS_IN_ORDER.flatMap((kind) => {
    const total = last.totals[kind];
    return total && maySeeKind(actor, kind) ? [{ kind, ...total }] : [];
  });
  const history = runs.flatMap((run) => {
    const score = run.status === "finished" ? scoreOf(run) : null;
    const endedAt = run.finishedAt ?? run.startedAt;
    return score === null ? [] : [{ score, payeeCount: run.payeeCount, endedAt, at: showTime(endedAt, zone) }];
  });
  history.reverse();
  return {
    score: scoreOf(last),
    payeeCount: last.payeeCount,
    asOf: showTime(last.finishedAt ?? last.startedAt, zone),
    kinds,
    /** What could not be checked, in sentences. */
    notChecked: (await findDirectoryEntry(services, ANY_BSB)) === undefined ? [NO_DIRECTORY] : [],
    /** Scores of earlier runs, oldest first. */
    history: history.map(({ endedAt: _, ...shown }) => shown),
    chart: history.length > 1 ? chartOf(history, zone.timeZone) : null,
  };
}

const POINT = 10;

/** Places the last run of each day at its date, so that gaps between runs are visible. */
function chartOf(runs: readonly { score: number; endedAt: number }[], timeZone: string): ChartView {
  const dayOf = (run?: { endedAt: number }) => run && formatDate(run.endedAt, timeZone);
  const history = runs.filter((run, at) => dayOf(run) !== dayOf(runs[at + 1]));
  const { lines, labels, yOf } = scaleOf(100, String);
  const [first, last] = [history[0]?.endedAt ?? 0, history.at(-1)?.endedAt ?? 0];
  const room = CHART_WIDTH - CHART_LEFT - POINT;
  const xOf = (at: number) => CHART_LEFT + (room * (at - first)) / Math.max(1, last - first);
  const gaps = history.slice(1).map(({ endedAt }, at) => xOf(endedAt) - xOf(history[at]?.endedAt ?? 0));
  const width = Math.max(1, Math.min(POINT, ...gaps.map(Math.floor)));
  const scores = history.map(({ score }) => score);
  const said = `${scores[0]} at the start, ${scores.at(-1)} at the end, ${Math.min(...scores)} at its lowest`;
  return {
    ...{ width: CHART_WIDTH, height: CHART_HEIGHT, lines, legend: [] },
    bars: drawBars(
      history.map(({ score, endedAt }) => ({
        ...{ x: xOf(endedAt), y: yOf(score), width, tone: "accent" as const },
        height: Math.max(1, yOf(0) - yOf(score)),
      })),
    ),
    labels: [
      ...labels,
      { x: CHART_LEFT, y: CHART_HEIGHT - 6, text: formatDate(first, timeZone), anchor: "start" },
      { x: CHART_WIDTH, y: CHART_HEIGHT - 6, text: formatDate(last, timeZone), anchor: "end" },
    ],
    summary: `Chart of the score at ${scores.length} readings, each on its day: ${said}. The table has every figure.`,
  };
}

async function listPage(
  services: TimedServices,
  actor: Actor,
  { runId, kind, after }: { runId: string; kind: HealthKind; after?: FindingKey },
) {
  const found = await listFindings(services, actor, { runId, kind, after, limit: PAGE_SIZE + 1 });
  const shown = found.slice(0, PAGE_SIZE);
  const questionOf = await listQuestions(services, actor.organizationId, shown);
  const rows = shown.map(({ accountNumber, ...row }) => ({
    ...row,
    /** The bank's last answer about the payee, in short; null: it was never asked. */
    bank: tellBank(questionOf({ ...row, accountNumber }), actor),
    maskedAccountNumber: maskAccountNumber(accountNumber),
  }));
  const last = found.length > PAGE_SIZE ? rows.at(-1) : undefined;
  const nextHref = last && healthHref({ kind, after: { cents: last.paidCents, payeeId: last.payeeId } });
  return { kind, rows, nextHref };
}

const ROWS_PER_READ = 2_000;
const HEADINGS = ["Payee", "Account name", "BSB", "Account number", "Paid in the last year (AUD)", "Finding"];
const CENTS = 100;

/** Every payee with a finding of this kind, as a table for a spreadsheet; account numbers masked as in every list. */
export async function writeHealthFile(services: TimedServices, actor: Actor, kind: HealthKind) {
  const last = (await listRuns(services, actor)).find(({ status }) => status === "finished");
  const isShown = last !== undefined && maySeeKind(actor, kind);
  const name = `${KIND_TEXTS[kind].title}.csv`;
  return { name, lines: isShown ? readLines(services, actor, last.id, kind) : headings() };
}

async function* headings() {
  yield toCsv(HEADINGS, []);
}

async function* readLines(services: TimedServices, actor: Actor, runId: string, kind: HealthKind) {
  yield* headings();
  let after: FindingKey | undefined;
  for (;;) {
    const rows = await listFindings(services, actor, { runId, kind, after, limit: ROWS_PER_READ });
    const last = rows.at(-1);
    if (!last) return;
    yield toCsvLines(
      rows.map(({ name, accountName, bsb, accountNumber, paidCents, detail }) => [
        name,
        accountName,
        formatBsb(bsb),
        maskAccountNumber(accountNumber),
        (paidCents / CENTS).toFixed(2),
        detail || KIND_TEXTS[kind].title,
      ]),
    );
    after = { cents: last.paidCents, payeeId: last.payeeId };
  }
}
