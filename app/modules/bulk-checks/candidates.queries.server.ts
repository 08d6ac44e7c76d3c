import { isMobile } from "~/kernel/phone";
import { findPolicy } from "~/modules/organizations/policies/policy.queries.server";
import { type ListedPayee, listPayees } from "~/modules/payees/payee-list.queries.server";
import type { Services } from "~/services";
import { type Judgement, judgePayee } from "./bulk-check";
import type { BulkCheckRow } from "./bulk-check.queries.server";

type Reading = Pick<Services, "db" | "clock">;

/** Where the list goes on after a payee: the list of those that await verification has that verification's key. */
export const keyOf = ({ choice }: Pick<BulkCheckRow, "choice">, payee: Pick<ListedPayee, "id" | "latest">): string =>
  choice.filter === "pending" && payee.latest ? payee.latest.id : payee.id;

/** The next payees of the list after the cursor, each with what is to be done about it. */
export async function readCandidates(
  services: Reading,
  { organizationId, choice, cursor }: Pick<BulkCheckRow, "organizationId" | "choice" | "cursor">,
  limit: number,
): Promise<{ judged: { payee: ListedPayee; judgement: Judgement }[]; next?: string }> {
  const { q, filter } = choice;
  const asked = { q, filter, after: cursor ?? undefined, limit };
  const [page, { reverifyAfterMonths }] = await Promise.all([
    listPayees(services, { organizationId }, asked),
    findPolicy(services, organizationId),
  ]);
  const at = { now: services.clock.now(), reverifyAfterMonths };
  const judged = page.payees.map((payee) => {
    const mobile = payee.phone !== null && isMobile(payee.phone) ? payee.phone : null;
    return { payee, judgement: judgePayee({ ...payee, mobile }, choice, at) };
  });
  return { judged, next: page.next };
}
