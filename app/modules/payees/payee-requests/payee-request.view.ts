import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/with-query";
import { type ShownTime, showTime } from "~/kernel/shown-time";
import { type PayeeRequest, type RequestState, requestState } from "./payee-request";

/** What the list of requests draws. Pure. */

export type RequestRow = {
  id: string;
  name: string;
  /** Where the newest link went. */
  sentTo: string;
  state: RequestState;
  note: string | null;
  askedBy: string;
  sentAt: ShownTime;
  expiresAt: ShownTime;
  /** What the answer led to. */
  result: { label: string; href: string } | null;
};

type Zone = { timeZone: string; now: number };

export function toRequestRow(row: PayeeRequest, askedBy: string, zone: Zone): RequestRow {
  const { id, name, note, channel, email, phone } = row;
  return {
    ...{ id, name, note, askedBy },
    sentTo: (channel === "email" ? email : phone) ?? "",
    state: requestState(row, zone.now),
    sentAt: showTime(row.sentAt, zone),
    expiresAt: showTime(row.expiresAt, zone),
    result: resultOf(row),
  };
}

function resultOf({ payeeId, verificationId, isDuplicate }: PayeeRequest): RequestRow["result"] {
  if (isDuplicate && payeeId) return { label: "The account is already a payee's", href: appPaths.payee(payeeId) };
  return verificationId ? { label: "Review the details", href: appPaths.verification(verificationId) } : null;
}

export const REQUEST_FILTER_LABELS = { open: "Waiting", all: "All" } as const;

export const requestsHref = ({
  status,
  ...page
}: {
  status: "open" | "all";
  after?: string;
  before?: string;
}): string => withQuery(appPaths.payeeRequests, { status: status === "all" ? "all" : undefined, ...page });
