import { toIso } from "~/kernel/dates";
import { type PayeeRequest, requestState } from "./payee-request";

/** A request as the API shows it. The link is in the message to the payee and nowhere else. */
export function toRequestJson(row: PayeeRequest, now: number) {
  const { id, name, email, phone, note, channel, payeeId, verificationId, isDuplicate } = row;
  return {
    ...{ id, name, email, phone, note, channel },
    status: requestState(row, now),
    payeeId,
    verificationId,
    isDuplicate,
    sentAt: toIso(row.sentAt),
    expiresAt: toIso(row.expiresAt),
    createdAt: toIso(row.createdAt),
    closedAt: row.closedAt === null ? null : toIso(row.closedAt),
  };
}
