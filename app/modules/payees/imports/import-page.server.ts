import { ROW_OUTCOMES } from "~/kernel/enums";
import { isId } from "~/kernel/ids";
import { appPaths } from "~/kernel/paths/app";
import { type Actor, canWrite, type Services } from "~/services-and-actor";
import { actsOf, columnChoices, resultsHref, type ShownRow, shownAccount, toImportView } from "./import";
import { findPart, getImport, listImports, listResults, type PayeeImport, readMapping } from "./import.server";
import { type JudgedRows, judgeRows, toResults } from "./judge-rows.server";
import {
  findOnFormerAccounts,
  readRegisterSentences,
  readRegisterSentencesOfPayees,
  verdictOfFormerAccount,
} from "./row-notes.server";
import { type ColumnMapping, missingColumns } from "./table/columns";

type Reading = Pick<Services, "db" | "clock" | "ids" | "secrets">;

const PREVIEW_ROWS = 20;
const RESULTS_PAGE_SIZE = 100;

const LINE = /^\d{1,9}$/;

export async function readImportsPage(services: Reading, actor: Actor, params: URLSearchParams) {
  const after = params.get("after") ?? params.get("cursor") ?? "";
  const { imports, next } = await listImports(services, actor, isId(after) ? after : undefined);
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  return {
    rows: imports.map((row) => toImportView(row, zone)),
    canUpload: canWrite(actor),
    nextHref: next && `${appPaths.imports}?after=${next}`,
    submissionId: services.ids.next(),
  };
}

export type ImportPage = Awaited<ReturnType<typeof readImportPage>>;

/** Reads the page of one import; invalid search parameters are ignored. @throws AppError 404 */
export async function readImportPage(services: Reading, actor: Actor, importId: string, params: URLSearchParams) {
  const found = await getImport(services, actor, importId);
  const file = toImportView(found, { timeZone: actor.timeZone, now: services.clock.now() });
  const may = actsOf(found.status, canWrite(actor));
  const isReady = found.status === "ready";
  return {
    file,
    may,
    /** Before the start: the columns, what is missing, and the expected results of the first rows. */
    preview: isReady ? await preview(services, found, actor.timeZone, readMapping(params)) : undefined,
    /** After the start: the rows that have a result. */
    results: isReady ? undefined : await results(services, actor, importId, params),
  };
}

async function preview(services: Reading, found: PayeeImport, timeZone: string, chosen: ColumnMapping | undefined) {
  const { id: importId, organizationId, headings, zeroColumns } = found;
  const mapping = chosen ?? found.mapping;
  const missing = missingColumns(mapping) ?? null;
  const choices = columnChoices(headings, mapping);
  if (missing) return { choices, missing, rows: [], rowsRead: 0 };
  const part = (await findPart(services, { organizationId, importId }, 0)) ?? [];
  const rows = part.slice(0, PREVIEW_ROWS);
  const judged = await judgeRows(services, organizationId, { rows, mapping, zeroColumns, timeZone });
  return { choices, missing, rows: await toShown(services, judged), rowsRead: rows.length };
}

/** The expected results; rows that would be added have no payee to link to yet. */
async function toShown(services: Reading, judged: JudgedRows): Promise<ShownRow[]> {
  const readable = judged.judged.map(({ row }) => row);
  const said = await readRegisterSentences(
    services,
    readable.map(({ details }) => details),
  );
  const registers = new Map(readable.map(({ line }, at) => [line, said[at] ?? null]));
  const accounts = new Map(readable.map(({ line, details }) => [line, shownAccount(details)]));
  const red = new Set(
    judged.judged.flatMap(({ row, formerAccount = [] }) => (formerAccount.length > 0 ? [row.line] : [])),
  );
  return toResults(judged).map((result) => ({
    ...result,
    payeeId: result.outcome === "added" ? null : result.payeeId,
    account: accounts.get(result.line) ?? null,
    register: registers.get(result.line) ?? null,
    verdict: red.has(result.line) ? verdictOfFormerAccount() : null,
  }));
}

async function results(services: Reading, actor: Actor, importId: string, params: URLSearchParams) {
  const outcome = ROW_OUTCOMES.find((each) => each === params.get("outcome"));
  const line = params.get("after") ?? "";
  const after = LINE.test(line) ? Number(line) : undefined;
  const page = await listResults(services, actor, { importId, outcome, after, limit: RESULTS_PAGE_SIZE });
  const ids = page.rows.map(({ payeeId }) => payeeId);
  const [registers, onFormerAccounts] = await Promise.all([
    readRegisterSentencesOfPayees(services, actor, ids),
    findOnFormerAccounts(services, actor.organizationId, ids),
  ]);
  const registerOf = (payeeId: string | null) => (payeeId === null ? null : (registers.get(payeeId) ?? null));
  return {
    outcome: outcome ?? null,
    rows: page.rows.map((row) => ({
      ...row,
      register: registerOf(row.payeeId),
      verdict: onFormerAccounts.has(row.payeeId) ? verdictOfFormerAccount() : null,
    })),
    firstHref: after ? resultsHref(importId, { outcome }) : undefined,
    nextHref: page.next === undefined ? undefined : resultsHref(importId, { outcome, after: page.next }),
  };
}
