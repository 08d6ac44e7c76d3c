import type { payeeRequests } from "@db/database";
import { DAY_MS, showTime, type Zone } from "~/kernel/dates";
import type { PayeeRequestStatus } from "~/kernel/enums";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/site";
import { PAYEE_LINK_TTL_DAYS } from "~/modules/payees/verifications/verification";

/** The states of a request for a payee's details, and its words. Pure: no database, no clock. */

/** A link works as long as every other link to a payee. */
export const REQUEST_TTL_MS = PAYEE_LINK_TTL_DAYS * DAY_MS;

/** The longest note on what a request is about, such as a contract or an invoice. */
export const MAX_REQUEST_NOTE = 200;

export type PayeeRequest = typeof payeeRequests.$inferSelect;

export type RequestState = "open" | "answered" | "cancelled" | "expired";

/** An answered request stays answered; an unanswered one expires with its link. `now`: epoch milliseconds. */
export function requestState(
  { status, expiresAt }: { status: PayeeRequestStatus; expiresAt: number },
  now: number,
): RequestState {
  if (status !== "open") return status;
  return now < expiresAt ? "open" : "expired";
}

/** The heading and sentences when the link does not accept details (any more). */
export function closedWords(
  state: Exclude<RequestState, "open">,
  { organizationName, isFresh, leadsToBank }: { organizationName: string; isFresh: boolean; leadsToBank: boolean },
): { title: string; sentences: string[] } {
  switch (state) {
    case "answered": {
      const sent = `${organizationName} has your bank details and checks them before it pays you.`;
      return {
        title: isFresh ? "Thank you" : "You have sent your details",
        sentences: [sent, leadsToBank ? BANK_STEP : NOTHING_LEFT],
      };
    }
    case "cancelled":
      return {
        title: "This request was cancelled",
        sentences: [`${organizationName} no longer asks for your details. There is nothing to do.`],
      };
    case "expired":
      return {
        title: "Link Expired",
        sentences: [
          `This link has expired. If ${organizationName} still needs your details, ask them to send a new one.`,
        ],
      };
  }
}

const BANK_STEP =
  "One step is left: please show at your own bank that the account is yours. You sign in on your bank’s page, and we never see your password.";
const NOTHING_LEFT =
  "There is nothing more to do, and this link accepts no further details. If something is wrong, call them on a number you already know.";

export function requestText(data: { organizationName: string; payeeName: string; link: string; expiresOn: string }) {
  return (
    `${data.organizationName} asks for the bank details of ${data.payeeName}, to pay into the right account: ` +
    `${data.link} The link works until ${data.expiresOn}. ` +
    `If in doubt, call ${data.organizationName} on a number you know. Sent by PayeeProof.`
  );
}

export type RequestRow = ReturnType<typeof toRequestRow>;

export function toRequestRow(row: PayeeRequest, askedBy: string, zone: Zone) {
  const { id, name, note, channel, email, phone } = row;
  return {
    ...{ id, name, note, askedBy },
    /** Where the newest link was sent. */
    sentTo: (channel === "email" ? email : phone) ?? "",
    state: requestState(row, zone.now),
    sentAt: showTime(row.sentAt, zone),
    expiresAt: showTime(row.expiresAt, zone),
    /** What the answer led to. */
    result: resultOf(row),
  };
}

function resultOf({ payeeId, verificationId, isDuplicate }: PayeeRequest) {
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
