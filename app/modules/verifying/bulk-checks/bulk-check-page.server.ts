import { type Actor, canWrite, displayName } from "~/kernel/actor";
import { appPaths } from "~/kernel/paths/app";
import {
  findMissingConfirmation,
  findSendingAllowance,
} from "~/modules/messages/notifications/outside-messages.queries.server";
import type { Services } from "~/services";
import { mayStart } from "./bulk-check";
import { type BulkCheckRow, getBulkCheck, listAsked, listBulkChecks } from "./bulk-check.server";
import { toAskedRow, toBulkCheckView, toNotAskedRow } from "./bulk-check.view";
import { findNotAsked } from "./candidates.server";

type Reading = Pick<Services, "db" | "clock">;

/** Everything the page of one bulk check shows. @throws AppError 404 */
export async function getBulkCheckPage(services: Reading, actor: Actor, id: string, after: number | undefined) {
  const row = await getBulkCheck(services, actor, id);
  const [view, missing, asked, notAsked] = await Promise.all([
    toView(services, actor, row, ""),
    canWrite(actor) && mayStart(row.status) ? findMissingConfirmation(services, actor) : null,
    listAsked(services, actor, { bulkCheckId: id, after }),
    findNotAsked(services, row),
  ]);
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  const page = (key: number) => `${appPaths.bulkCheck(id)}?after=${key}#asked`;
  return {
    check: { ...view, mayStart: view.mayStart && missing === null },
    missing,
    asked: asked.rows.map((one) => toAskedRow(one, zone)),
    notAsked: notAsked.map((one) => toNotAskedRow(row.status, one)),
    firstHref: after === undefined ? undefined : `${appPaths.bulkCheck(id)}#asked`,
    nextHref: asked.next === undefined ? undefined : page(asked.next),
  };
}

/** The newest bulk checks of the organisation. */
export async function listBulkCheckViews(services: Reading, actor: Actor) {
  const rows = await listBulkChecks(services, actor);
  return Promise.all(rows.map(({ check, asker }) => toView(services, actor, check, displayName(asker))));
}

async function toView(services: Reading, actor: Actor, row: BulkCheckRow, askedBy: string) {
  const { timeZone, organizationId } = actor;
  const zone = { timeZone, now: services.clock.now() };
  // Only what waits to be started speaks of how long it would take.
  const allowance =
    row.status === "ready" ? await findSendingAllowance(services, organizationId) : { perDay: 0, sent: 0 };
  return toBulkCheckView(row, { askedBy, zone, allowance, canChange: canWrite(actor) });
}

export type BulkCheckPage = Awaited<ReturnType<typeof getBulkCheckPage>>;
