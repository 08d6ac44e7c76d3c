import type { Actor } from "~/kernel/actor";
import { findSendingAllowance } from "~/modules/messages/notifications/outside-messages.queries.server";
import type { Services } from "~/services";
import { toAskedJson, toBulkCheckJson, toNotAskedJson } from "./bulk-check.json";
import { getBulkCheck, listAsked, listBulkChecks } from "./bulk-check.server";
import { findNotAsked } from "./candidates.server";

type Reading = Pick<Services, "db" | "clock">;

/** The newest bulk checks as the API shows them. */
export async function listBulkChecksJson(services: Reading, actor: Actor) {
  const [rows, allowance] = await Promise.all([
    listBulkChecks(services, actor),
    findSendingAllowance(services, actor.organizationId),
  ]);
  return rows.map(({ check }) => toBulkCheckJson(check, allowance));
}

/** One bulk check. @throws AppError 404 */
export async function readBulkCheckJson(services: Reading, actor: Actor, id: string) {
  const row = await getBulkCheck(services, actor, id);
  return toBulkCheckJson(row, await findSendingAllowance(services, actor.organizationId));
}

/** One bulk check with a page of the payees it has asked, and of chosen ones those it has not. @throws AppError 404 */
export async function readBulkCheckWithPayees(services: Reading, actor: Actor, id: string, after: number | undefined) {
  const row = await getBulkCheck(services, actor, id);
  const [allowance, asked, notAsked] = await Promise.all([
    findSendingAllowance(services, actor.organizationId),
    listAsked(services, actor, { bulkCheckId: id, after }),
    findNotAsked(services, row),
  ]);
  return {
    bulkCheck: toBulkCheckJson(row, allowance),
    asked: asked.rows.map(toAskedJson),
    notAsked: notAsked.map(toNotAskedJson),
    nextCursor: asked.next === undefined ? null : String(asked.next),
  };
}
