import type { CheckOutcome, QueueOrder, VerificationMethod, VerificationStatus } from "~/kernel/enums";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/site";
import { VERIFICATION_STATUS_LOOKS } from "~/kernel/status-words";
import type { MatchType } from "~/modules/name-match/index";
import { providerOfResult, type ResultData } from "~/modules/payees/verifications/verification";
import type { VerificationFilter } from "./verification-list.server";

/** The list of all verifications, decided or not, and its filters. Pure. */

export const OUTCOME_LABELS: Readonly<Record<CheckOutcome | "none", string>> = {
  match: "Names match",
  close_match: "Names are close",
  no_match: "Names do not match",
  account_closed: "Account closed",
  account_not_shared: "Account not shared",
  consent_refused: "Consent refused",
  unable: "Could not check",
  none: "No answer from a bank",
};

/** The status filter. Closed verifications are stored as failed. */
export const STATUS_LABELS: Readonly<Record<VerificationStatus, string>> = {
  pending: VERIFICATION_STATUS_LOOKS.pending.word,
  verified: VERIFICATION_STATUS_LOOKS.verified.word,
  rejected: VERIFICATION_STATUS_LOOKS.rejected.word,
  failed: "Failed or closed",
};

/** "basiq" is shown under the provider's name. */
export const methodLabels = (providerName: string): Readonly<Record<VerificationMethod, string>> => ({
  basiq: providerName,
  whitelist: "Whitelist",
  manual: "Manual",
});

/** How one verification was carried out, with the name of the service that answered. */
export const methodOf = (
  { method, resultData }: { method: VerificationMethod; resultData: Pick<ResultData, "source"> | null },
  providerName: string,
): string => methodLabels(providerOfResult(resultData, providerName))[method];

/** The address of a view of the list, or of its CSV file. */
export function verificationsHref(
  filter: VerificationFilter,
  page: { after?: string } = {},
  path: string = appPaths.allVerifications,
) {
  return withQuery(path, { ...filter, ...page });
}

/** The filters and order of the review queue; the address keeps them from the list to an item and back. */
export type QueueView = {
  q?: string;
  match?: MatchType;
  order?: QueueOrder;
  /** Only verifications assigned to the reader. */
  mine?: boolean;
};

/** The query parameters of the view, without defaults. */
const toQuery = ({ q, match, order, mine }: QueueView) => ({
  q,
  match,
  order: order === "risk" ? undefined : order,
  assigned: mine ? MINE : undefined,
});

/** The value of `assigned` for the reader's own. */
export const MINE = "me";

/** The address of a view of the review queue. */
export const pendingHref = ({ after, before, ...view }: QueueView & { after?: string; before?: string }): string =>
  withQuery(appPaths.pendingVerifications, { ...toQuery(view), after, before });

/** The parameter with which a verification's page reloads itself while a bank check runs, and shows no forms. */
export const WATCH = "watch";

export const reviewHref = (id: string, view: QueueView, more: { [WATCH]?: "yes" } = {}): string =>
  withQuery(appPaths.verification(id), { ...toQuery(view), ...more });
