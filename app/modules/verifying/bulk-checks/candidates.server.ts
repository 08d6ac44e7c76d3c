import { isMobile } from "~/kernel/phone";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { findListedPayees, type ListedPayee, listPayees, type PayeesPage } from "~/modules/payees/payee-list.server";
import type { Services } from "~/services";
import { type Judgement, judgePayee, type NotAsked } from "./bulk-check";
import { type BulkCheckRow, findAskedOf } from "./bulk-check.server";

type Reading = Pick<Services, "db" | "clock">;

/** Where the list goes on after a payee: the list of those that await verification has that verification's key. */
export const keyOf = ({ choice }: Pick<BulkCheckRow, "choice">, payee: Pick<ListedPayee, "id" | "latest">): string =>
  choice.filter === "pending" && payee.latest ? payee.latest.id : payee.id;

/**
 * Of a check of chosen payees, those that it has not asked, each with how it stands now; of a check by filter, whose payees
 * may be thousands, none.
 */
export async function findNotAsked(services: Reading, row: BulkCheckRow): Promise<NotAsked[]> {
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

/** The next payees of the list after the cursor, each with what is to be done about it. */
export async function readCandidates(
  services: Reading,
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

type Place = Pick<BulkCheckRow, "organizationId" | "choice" | "cursor">;

/** The list goes on after the cursor; of chosen payees there are so few that the rest is read together. */
async function readPage(
  services: Reading,
  { organizationId, choice, cursor }: Place,
  limit: number,
): Promise<PayeesPage> {
  const { q, filter, payeeIds } = choice;
  if (!payeeIds) return listPayees(services, { organizationId }, { q, filter, after: cursor ?? undefined, limit });
  const left = payeeIds.filter((id) => cursor === null || id < cursor);
  return { payees: await findListedPayees(services, { organizationId }, left) };
}
