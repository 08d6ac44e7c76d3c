import { DAY_MS } from "~/kernel/dates";

/** A change of a person's address: asked in the old mailbox and in the new one. Pure. */

/** How long the two links work. */
export const EMAIL_CHANGE_TTL_MS = DAY_MS;

/** Changes of address that a person may ask for in an hour: each sends an email to an address of their choice. */
export const MAX_EMAIL_CHANGES = 5;

export const ADDRESS_TAKEN = "Another account has this email address";

/** Which mailbox a link was sent to. */
export type Mailbox = "old" | "new";

export type EmailChangeState =
  /** Not yet answered in this mailbox. */
  | "open"
  /** Answered here; the other mailbox has not. */
  | "waiting"
  | "expired"
  /** Made, stopped, or replaced by another change. */
  | "ended";

type Change = {
  endedAt: number | null;
  expiresAt: number;
  oldConfirmedAt: number | null;
  newConfirmedAt: number | null;
};

export function emailChangeState(change: Change, mailbox: Mailbox, now: number): EmailChangeState {
  if (change.endedAt !== null) return "ended";
  if (change.expiresAt <= now) return "expired";
  const answeredAt = mailbox === "old" ? change.oldConfirmedAt : change.newConfirmedAt;
  return answeredAt === null ? "open" : "waiting";
}

/** Whether the agreement of this mailbox is the last one needed. */
export function completes(change: Pick<Change, "oldConfirmedAt" | "newConfirmedAt">, mailbox: Mailbox): boolean {
  return mailbox === "old" ? change.newConfirmedAt !== null : change.oldConfirmedAt !== null;
}
