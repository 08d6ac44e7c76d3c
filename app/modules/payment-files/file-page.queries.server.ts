import { type Actor, canWrite } from "~/kernel/actor";
import type { LineStatus } from "~/kernel/enums";
import { findPolicy } from "~/modules/organizations/policies/policy.queries.server";
import { ruleLabel } from "~/modules/payment-rules";
import type { Services } from "~/services";
import { listClearings } from "./clearings.queries.server";
import { type LineFilter, listLines } from "./file-lines.queries.server";
import { type FilePage, toClearingView, toFileView, toLastRun } from "./file-page.view";
import { findFileSettings } from "./file-settings.queries.server";
import { compareWithLastRun, countNewAndChanged, listHeldPayees, listHeldReasons } from "./file-summary.queries.server";
import { findOwnWork, type OwnWork } from "./own-lines.queries.server";
import { canBeAbandoned, isDecidable } from "./payment-file";
import { getPaymentFile } from "./payment-file.queries.server";
import { type LineTab, linesHref, toLineRow } from "./payment-file.view";

const NO_OWN_WORK: OwnWork = { bar: null, payees: new Set() };

type Reading = Pick<Services, "db" | "clock">;
type Asked = LineFilter & { tab?: LineTab };

/** Which lines the page shows: what was asked for, else the held ones while there are any. */
function filterOf({ heldCount }: { heldCount: number }, asked: Asked) {
  const tab: LineTab = asked.tab ?? (asked.rule || asked.payeeId || heldCount > 0 ? "held" : "all");
  const status: LineStatus | undefined = tab === "all" ? undefined : tab;
  return { tab, filter: { ...asked, status } };
}

/** Everything that the page of one payment file draws. @throws AppError 404 */
export async function getFilePage(services: Reading, actor: Actor, fileId: string, asked: Asked): Promise<FilePage> {
  const file = await getPaymentFile(services, actor, fileId);
  const owner = { organizationId: actor.organizationId, fileId };
  const { tab, filter } = filterOf(file, asked);
  const [policy, settings, reasons, payees, newAndChanged, lastRun, page, clearings] = await Promise.all([
    findPolicy(services, actor.organizationId),
    findFileSettings(services, actor.organizationId),
    listHeldReasons(services, owner),
    listHeldPayees(services, owner),
    countNewAndChanged(services, owner),
    compareWithLastRun(services, owner),
    listLines(services, actor, { fileId, filter }),
    listClearings(services, actor, fileId),
  ]);
  const { uploadedById } = file;
  const ownWork = policy.secondPersonRequired
    ? await findOwnWork(services, actor, { uploadedById, lines: page.lines, limits: settings })
    : NO_OWN_WORK;
  const zone = { timeZone: policy.timeZone, now: services.clock.now() };
  const { rule, payeeId, after } = filter;
  const isWriter = canWrite(actor);
  return {
    file: toFileView(file, zone),
    canDecide: isWriter && isDecidable(file.status),
    canAbandon: isWriter && canBeAbandoned(file),
    needsPayer: file.format !== "aba" && settings.payer === null,
    reasons: reasons.map((reason) => ({ ...reason, label: ruleLabel(reason.rule) })),
    payees,
    newAndChanged,
    lastRun: lastRun && toLastRun(lastRun, zone),
    approvalBar: ownWork.bar,
    lines: page.lines.map((line) => ({
      ...toLineRow(line, zone, isWriter ? fileId : null),
      isOwnWork: ownWork.bar === null && ownWork.payees.has(line.payeeId ?? ""),
    })),
    tab,
    rule: rule ?? null,
    ruleName: rule ? ruleLabel(rule) : null,
    payeeId: payeeId ?? null,
    firstHref: after === undefined ? undefined : linesHref(fileId, { rule, payeeId, tab }),
    nextHref: page.next === undefined ? undefined : linesHref(fileId, { rule, payeeId, tab, after: page.next }),
    clearings: clearings.map((clearing) => toClearingView(clearing, zone)),
  };
}
