import { paymentFiles, users } from "@db/database";
import { keySetPage } from "@db/key-set-page";
import { and, eq, sql } from "drizzle-orm";
import { accountKey, maskAccountNumber } from "~/kernel/bank-account";
import { DAY_MS, showTime, type Zone } from "~/kernel/dates";
import type { LineStatus } from "~/kernel/enums";
import { isId } from "~/kernel/ids";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/site";
import { offerApproval } from "~/modules/accounts/identity/signed-approval.server";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { listQuestions, tellBank } from "~/modules/payees/verifications/account-questions.server";
import { findFormerHolders } from "~/modules/payees/verifications/evidence.server";
import { type FileSettings, findFileSettings } from "~/modules/payments/approval-limits.server";
import { findOwnWork, type OwnWork } from "~/modules/payments/approvers.server";
import {
  findAnswerAgainst,
  listAccountHistories,
  listAnswersAbout,
  standingOf,
} from "~/modules/payments/payment-facts/account-history.server";
import { findPayees } from "~/modules/payments/payment-facts/payees.server";
import { DECIDED_INDIVIDUALLY, ruleLabel } from "~/modules/rules";
import { bankAnswer, tellAnswer } from "~/modules/rules/account-rules";
import type { AccountStanding } from "~/modules/rules/account-standing";
import {
  type Actor,
  type Asking,
  canAdminister,
  canWrite,
  type ReadServices,
  type Services,
  type TimedServices,
} from "~/services-and-actor";
import { findClearable } from "./clear-file.server";
import { listClearings, toClearingView } from "./clearings.server";
import { type FileLineDetail, findLine, listLines, type PageFilter } from "./file-lines.server";
import {
  canBeAbandoned,
  checkPayingAccount,
  FORMAT_LABELS,
  findUndeclared,
  hasMoreToClear,
  isDecidable,
  type LineTab,
  linesHref,
  stopsOf,
  toFileRow,
  toLineRow,
} from "./payment-file";
import {
  type FiguresAtClearing,
  figuresNow,
  fileColumns,
  getPaymentFile,
  type Owner,
  type PaymentFileDetail,
  type RunComparison,
  withUploader,
} from "./payment-file.server";

const NO_OWN_WORK: OwnWork = { bar: null, payees: new Set() };

/** Which lines the page shows: those asked for; by default the held ones if there are any. */
function filterOf({ heldCount }: { heldCount: number }, { line: _, tick: __, ...asked }: PageFilter) {
  const tab: LineTab = asked.tab ?? (asked.rule || asked.payeeId || heldCount > 0 ? "held" : "all");
  const status: LineStatus | undefined = tab === "all" ? undefined : tab;
  return { tab, filter: { ...asked, status } };
}

/** Reads everything for the page of one payment file. @throws AppError 404 */
export async function readFilePage(services: Services, actor: Actor, fileId: string, asked: PageFilter) {
  const file = await getPaymentFile(services, actor, fileId);
  const owner = { organizationId: actor.organizationId, fileId };
  const { tab, filter } = filterOf(file, asked);
  const [policy, settings, reasons, payees, figures, banks, page, clearings, one] = await Promise.all([
    findPolicy(services, actor.organizationId),
    findFileSettings(services, actor.organizationId),
    listHeldReasons(services, owner),
    listHeldPayees(services, owner),
    file.clearedCount > 0 ? file.figuresAtClearing : figuresNow(services, owner),
    countBanks(services, owner, file.createdAt),
    listLines(services, actor, { fileId, filter }),
    listClearings(services, actor, fileId),
    asked.line === undefined ? undefined : findLine(services, actor, { fileId, line: asked.line }),
  ]);
  const zone = { timeZone: policy.timeZone, now: services.clock.now() };
  const { bar, show } = await showLines(services, actor, {
    file,
    lines: one ? [...page.lines, one] : page.lines,
    settings,
    secondPersonRequired: policy.secondPersonRequired,
    zone,
  });
  const { rule, payeeId, after } = filter;
  const isWriter = canWrite(actor);
  const canDecide = isWriter && isDecidable(file.status);
  const paying = showPaying(file, settings, actor);
  const needsPayer = file.format !== "aba" && settings.payer === null;
  const isClearable = canDecide && file.authorisedCount > file.clearedCount && !needsPayer && paying.state !== "other";
  return {
    file: toFileView(file, zone),
    /** The person may decide, and the file's status allows it. */
    canDecide,
    /** Nothing of the file was cleared, so it can be abandoned. */
    canAbandon: isWriter && canBeAbandoned(file),
    /** The file is a table without a paying account, so it cannot be cleared. */
    needsPayer,
    /** What this person's passkey signs to clear the file; null: the organisation does not ask for one. */
    approval:
      isClearable && policy.passkeyForFiles
        ? await offerApproval(services, actor, await findClearable(services, actor, file))
        : null,
    paying,
    reasons: reasons.map((reason) => ({ ...reason, label: ruleLabel(reason.rule) })),
    payees,
    /** For a cleared file, the figures stored at clearing; null: none were stored. */
    newAndChanged: figures,
    /** What the banks said about the accounts that the file pays; null: no bank was ever asked. */
    banks: banks.some(({ state }) => state !== "never") ? banks.map((each) => toBanks(each, zone)) : null,
    ...toLastRun(figures, zone),
    /** Why this person may approve no line of the file, and who may; null: they may. */
    approvalBar: bar,
    lines: page.lines.map(show),
    /** The line being decided alone, and the link back to the list; null: none was asked for, or it is not held. */
    single:
      canDecide && one?.status === "held"
        ? { line: show(one), listHref: linesHref(fileId, { rule, payeeId, tab, after }) }
        : null,
    tab,
    /** The rule and payee that the list is filtered by. */
    rule: rule ?? null,
    ruleName: rule ? ruleLabel(rule) : null,
    payeeId: payeeId ?? null,
    /** The rules whose lines are ticked. */
    tick: asked.tick ?? [],
    /** The list starts after this line. */
    after,
    firstHref: after === undefined ? undefined : linesHref(fileId, { rule, payeeId, tab }),
    nextHref: page.next === undefined ? undefined : linesHref(fileId, { rule, payeeId, tab, after: page.next }),
    clearings: clearings.map((clearing) => toClearingView(clearing, zone)),
    sums: sumsOf(file, clearings),
  };
}

/** How the total of a file divides by status. */
export function sumsOf(
  { totalCents, heldCents, authorisedCents }: Pick<PaymentFileDetail, "totalCents" | "heldCents" | "authorisedCents">,
  clearings: readonly { totalCents: number }[],
) {
  const clearedCents = clearings.reduce((sum, clearing) => sum + clearing.totalCents, 0);
  return {
    heldCents,
    approvedCents: authorisedCents - clearedCents,
    rejectedCents: totalCents - heldCents - authorisedCents,
    clearedCents,
  };
}

/** Compares the paying account in the file with the declared accounts, while that matters. */
function showPaying(file: PaymentFileDetail, settings: FileSettings, actor: Actor) {
  const { status, paysFrom, clearedCount } = file;
  const { state, problems } = checkPayingAccount(paysFrom, settings.payingAccounts);
  const isOpen = state === "other" ? hasMoreToClear(file) : isDecidable(status) || status === "checking";
  const isOffered = isOpen && (state === "other" || state === "none_declared");
  const undeclared = paysFrom && isOffered ? findUndeclared(paysFrom, settings.payingAccounts) : [];
  return {
    /** Null: no longer relevant. */
    state: isOpen ? state : null,
    problems,
    isCleared: clearedCount > 0,
    /** The paying accounts in the file that nobody declared. */
    undeclared: undeclared.map(({ accountNumber, ...rest }) => ({
      ...rest,
      maskedAccountNumber: maskAccountNumber(accountNumber),
    })),
    mayDeclare: canAdminister(actor),
  };
}

export type FilePage = Awaited<ReturnType<typeof readFilePage>>;

export type ShownLine = FilePage["lines"][number];

/** The page's view of the file itself. */
function toFileView(row: PaymentFileDetail, zone: Zone) {
  const { id, name, status, problems, sha256, lineCount, totalCents, checkedCount, uploadedBy } = row;
  const { heldCount, heldCents, authorisedCount, authorisedCents, rejectedCount, clearedCount } = row;
  return {
    ...{ id, name, status, problems, sha256, lineCount, totalCents, checkedCount, uploadedBy },
    ...{ heldCount, heldCents, authorisedCount, authorisedCents, rejectedCount, clearedCount },
    formatLabel: FORMAT_LABELS[row.format],
    uploadedAt: showTime(row.createdAt, zone),
    /** Authorised payments that are not cleared yet. */
    toClearCount: authorisedCount - clearedCount,
  };
}

/** The comparison with the previous run: current, or as stored when the file was first cleared. */
function toLastRun(figures: FiguresAtClearing | null, zone: Zone) {
  const run = figures?.lastRun;
  return {
    /** Null: there was no previous run, or no comparison was stored. */
    lastRun: run ? toComparison(run, zone) : null,
    isComparisonLost: run === undefined,
  };
}

const toComparison = ({ fileId, createdAt, ...run }: RunComparison, zone: Zone) => ({
  ...run,
  href: appPaths.paymentFile(fileId),
  uploadedAt: showTime(createdAt, zone),
});

const BANKS_SAID: Readonly<Record<BankState, string>> = {
  against: "The bank does not confirm the account",
  close: "The bank says the name is close",
  confirmed: "Confirmed by the bank",
  older: "The bank answered some time ago",
  waiting: "The bank has not answered yet",
  unable: "The bank could not answer",
  answer_lost: "The bank's answer was lost",
  not_asked: "The bank was not asked",
  never: "The bank was never asked",
};

const toBanks = ({ state, count, cents, lastAt }: BanksCount, zone: Zone) => ({
  ...{ state, count, cents },
  word: BANKS_SAID[state],
  lastAt: lastAt === null ? null : showTime(lastAt, zone),
});

/** The rows of the lines, and why this person may approve none of the file; null: they may. */
async function showLines(
  services: TimedServices,
  actor: Actor,
  {
    file,
    lines,
    settings,
    secondPersonRequired,
    zone,
  }: {
    file: PaymentFileDetail;
    lines: readonly FileLineDetail[];
    settings: FileSettings;
    secondPersonRequired: boolean;
    zone: Zone;
  },
) {
  const zoned = { organizationId: actor.organizationId, timeZone: zone.timeZone };
  const [{ bar, payees }, noteOf] = await Promise.all([
    secondPersonRequired
      ? findOwnWork(services, actor, { uploadedById: file.uploadedById, lines, limits: settings })
      : NO_OWN_WORK,
    findLineNotes(services, zoned, lines),
  ]);
  const addFrom = canWrite(actor) ? file.id : null;
  return {
    bar,
    show: (line: FileLineDetail) => ({
      ...toLineRow(line, zone, noteOf(line.line), addFrom),
      /** Another person must approve the line. */
      isOwnWork: bar === null && payees.has(line.payeeId ?? ""),
    }),
  };
}

/** What is known now about the account of a line, in addition to the findings when it was judged. */
type LineNote = {
  /** The bank's last answer about the account, in short; null: it was never asked. */
  bank: string | null;
  /** A bank's answer against the account since then, as a sentence; null: none. */
  news: string | null;
  /** The standing of the account with the payee that has it; null: it belongs to no payee. */
  standing: AccountStanding | null;
};

const NOTHING: LineNote = { bank: null, news: null, standing: null };

/** What is known now about the accounts of one page of lines. */
async function findLineNotes(
  services: TimedServices,
  { organizationId, timeZone }: { organizationId: string; timeZone: string },
  lines: readonly FileLineDetail[],
): Promise<(line: number) => LineNote> {
  if (lines.length === 0) return () => NOTHING;
  const now = services.clock.now();
  const held = lines.filter(({ status }) => status === "held");
  const [payees, holdersOf] = await Promise.all([
    findPayees(services, organizationId, { recipients: lines, now }),
    findFormerHolders(services, organizationId, held),
  ]);
  // A payee's bank is asked about the account name on record, whatever the file calls it.
  const accountOf = (line: FileLineDetail, place: number) => payees.at(place)?.facts ?? line;
  const [questionOf, answers] = await Promise.all([
    listQuestions(services, organizationId, lines.map(accountOf)),
    listAnswersAbout(services, organizationId, held),
  ]);
  const idsOf = (line: FileLineDetail, place: number) =>
    [payees.at(place)?.facts.id, ...holdersOf(line).map(({ payeeId }) => payeeId)].filter((id) => id !== undefined);
  const histories = await listAccountHistories(
    services,
    organizationId,
    lines.flatMap((line, place) => (line.status === "held" ? idsOf(line, place) : [])),
  );
  const notes = new Map<number, LineNote>();
  for (const [place, line] of lines.entries()) {
    const bank = tellBank(questionOf(accountOf(line, place)), { timeZone });
    if (line.status !== "held") {
      notes.set(line.line, { ...NOTHING, bank });
      continue;
    }
    const known = idsOf(line, place).flatMap((id) => histories.get(id) ?? []);
    const own = histories.get(payees.at(place)?.facts.id ?? "");
    const against = findAnswerAgainst(line, known, answers.get(accountKey(line)) ?? []);
    const isSaid = line.reasons.some(
      ({ rule, evidence }) => rule === bankAnswer.id && evidence.verificationId === against?.verificationId,
    );
    notes.set(line.line, {
      bank,
      news: against && !isSaid ? tellAnswer(against, timeZone) : null,
      standing: own ? standingOf(line, own) : null,
    });
  }
  return (line) => notes.get(line) ?? NOTHING;
}

const always = DECIDED_INDIVIDUALLY.flatMap(({ id, where }) => (where === null ? [`'${id}'`] : []));

const sometimes = DECIDED_INDIVIDUALLY.flatMap(({ id, where }) =>
  where === null ? [] : [`OR "why"."value" ->> 'rule' = '${id}' AND "why"."value" ->> '$.evidence.${where}' = 1`],
);

/** `isDecidedIndividually` for a held line, in SQL. */
const isIndividual =
  sql.raw(`EXISTS (SELECT 1 FROM json_each("held"."reasons") AS "why" WHERE "why"."value" ->> 'level' = 'hold'
  AND ("why"."value" ->> 'rule' IN (${always.join(", ")}) ${sometimes.join(" ")}))`);

/** Held lines of one rule: `togetherCount` may be decided together; `onlyCount` of them no other rule holds. */
type HeldReason = { rule: string; count: number; cents: number; togetherCount: number; onlyCount: number };

/** Why lines of a file are held, largest amount first. A line that several rules hold counts for each. */
export async function listHeldReasons({ db }: ReadServices, { organizationId, fileId }: Owner): Promise<HeldReason[]> {
  return db.all<HeldReason>(sql`SELECT "rule", count(*) AS "count", sum("amount") AS "cents",
      sum(NOT "isIndividual") AS "togetherCount", sum("holds" = 1 AND NOT "isIndividual") AS "onlyCount"
    FROM (SELECT "held"."amount", ${isIndividual} AS "isIndividual", "reason"."value" ->> 'rule' AS "rule",
        (SELECT count(*) FROM json_each("held"."reasons") WHERE "value" ->> 'level' = 'hold') AS "holds"
      FROM "payment_file_lines" AS "held" CROSS JOIN json_each("held"."reasons") AS "reason"
      WHERE "held"."organizationId" = ${organizationId} AND "held"."fileId" = ${fileId}
        AND "held"."status" = 'held' AND "reason"."value" ->> 'level' = 'hold') AS "walk"
    GROUP BY "rule" ORDER BY "cents" DESC, "rule"`);
}

/** Held lines of one payee; `togetherCount` of them may be decided together. */
type HeldPayee = { payeeId: string; name: string; count: number; cents: number; togetherCount: number };

/** Payees with more than one held line, largest amount first. */
export async function listHeldPayees({ db }: ReadServices, { organizationId, fileId }: Owner): Promise<HeldPayee[]> {
  return db.all<HeldPayee>(sql`SELECT "held"."payeeId", "payee"."name", count(*) AS "count", sum("held"."amount") AS "cents",
      sum(NOT ${isIndividual}) AS "togetherCount"
    FROM "payment_file_lines" AS "held" CROSS JOIN "payees" AS "payee"
    WHERE "held"."organizationId" = ${organizationId} AND "held"."fileId" = ${fileId} AND "held"."status" = 'held'
      AND "payee"."organizationId" = ${organizationId} AND "payee"."id" = "held"."payeeId"
    GROUP BY "held"."payeeId" HAVING count(*) > 1 ORDER BY "cents" DESC LIMIT 20`);
}

const STATES = [
  "against",
  "close",
  "confirmed",
  "older",
  "waiting",
  "unable",
  "answer_lost",
  "not_asked",
  "never",
] as const;
/** What the bank of an account said, from a day before the upload on, or why it did not answer. */
export type BankState = (typeof STATES)[number];

/** Numbers of payments in a file, and their cents, by bank state, most serious first; `lastAt`: the newest answer. */
export type BanksCount = { state: BankState; count: number; cents: number; lastAt: number | null };

/** What banks said about the accounts that a file pays, leaving out rejected lines. */
export async function countBanks({ db }: ReadServices, { organizationId, fileId }: Owner, createdAt: number) {
  const since = createdAt - DAY_MS;
  const rows =
    await db.all<BanksCount>(sql`SELECT "state", count(*) AS "count", sum("amount") AS "cents", max("answeredAt") AS "lastAt"
    FROM (SELECT "line"."amount", "asked"."answeredAt", CASE
        WHEN "asked"."bsb" IS NULL THEN 'never'
        WHEN "asked"."answeredAt" > ${since} THEN CASE "asked"."outcome" WHEN 'match' THEN 'confirmed' WHEN 'close_match' THEN 'close' ELSE 'against' END
        WHEN "asked"."endedAt" IS NULL THEN 'waiting'
        WHEN "asked"."endedAt" > ${since} AND "asked"."ended" <> 'answered' THEN "asked"."ended"
        WHEN "asked"."outcome" IN ('no_match', 'account_closed', 'account_not_shared') THEN 'against'
        WHEN "asked"."answeredAt" IS NULL THEN 'never'
        ELSE 'older' END AS "state"
      FROM "payment_file_lines" AS "line"
      LEFT JOIN "payees" AS "payee" ON "payee"."organizationId" = ${organizationId} AND "payee"."id" = "line"."payeeId"
      LEFT JOIN "account_questions" AS "asked" ON "asked"."organizationId" = ${organizationId}
        AND "asked"."bsb" = coalesce("payee"."bsb", "line"."bsb")
        AND "asked"."accountNumber" = coalesce("payee"."accountNumber", "line"."accountNumber")
        AND "asked"."accountName" = coalesce("payee"."accountName", "line"."accountName")
      WHERE "line"."organizationId" = ${organizationId} AND "line"."fileId" = ${fileId} AND "line"."status" <> 'rejected') AS "walk"
    GROUP BY "state"`);
  return rows.sort((a, b) => STATES.indexOf(a.state) - STATES.indexOf(b.state));
}

const FILES_PAGE_SIZE = 25;

/** The cursor of a file list; anything that is not an id means the start. */
export const readFilesCursor = (params: URLSearchParams): string | undefined => {
  const cursor = params.get("cursor") ?? params.get("after") ?? undefined;
  return cursor !== undefined && isId(cursor) ? cursor : undefined;
};

/** The organisation's payment files after a given one, newest first. */
export async function listPaymentFiles({ db }: ReadServices, { organizationId }: Asking, after?: string) {
  const page = keySetPage({ after }, { size: FILES_PAGE_SIZE });
  const rows = await db
    .select(fileColumns)
    .from(paymentFiles)
    .leftJoin(users, eq(users.id, paymentFiles.uploadedById))
    .where(and(eq(paymentFiles.organizationId, organizationId), page.beyond(paymentFiles.id)))
    .orderBy(page.order(paymentFiles.id))
    .limit(page.limit);
  const { rows: shown, next } = page.cut(rows, ({ id }) => id);
  return { files: shown.map(withUploader), next };
}

export async function readPaymentFilesPage(
  services: Pick<Services, "db" | "clock" | "ids">,
  actor: Actor,
  params: URLSearchParams,
) {
  const [{ files, next }, { payingAccounts }] = await Promise.all([
    listPaymentFiles(services, actor, readFilesCursor(params)),
    findFileSettings(services, actor.organizationId),
  ]);
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  return {
    rows: files.map((file) => toFileRow(file, stopsOf(file, payingAccounts).length > 0, zone)),
    nextHref: next && withQuery(appPaths.paymentFiles, { after: next }),
    canUpload: canWrite(actor),
    submissionId: services.ids.next(),
  };
}
