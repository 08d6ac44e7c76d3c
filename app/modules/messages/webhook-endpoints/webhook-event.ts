import { toIso } from "~/kernel/dates";
import { type AuditAction, type DetailsIn, detailsIn } from "~/modules/core/audit/audit";
import type { TrailEntry } from "~/modules/core/trail-reading.server";

/** The events that other systems can receive, and their contents. Pure. */

type EventLine = {
  label: string;
  raisedBy: readonly AuditAction[];
  /** The resulting status of the payee, verification, payment or file; a function if the details decide it. */
  state: string | ((details: DetailsIn<"payment.recorded" | "payment_file.checked">) => string);
};

/** Every event, in the order of the settings page. To add one, add an entry here. */
export const WEBHOOK_EVENTS = {
  "payee.added": { label: "Payee added", raisedBy: ["payee.added", "payee.added_by_payee"], state: "pending" },
  "payee.bank_details_changed": {
    label: "Payee's bank details changed",
    raisedBy: ["payee.bank_details_changed"],
    state: "changed",
  },
  "payee.renamed": { label: "Payee renamed", raisedBy: ["payee.renamed"], state: "changed" },
  "payee.whitelisted": {
    label: "Payee put on the whitelist",
    raisedBy: ["payee.whitelisted", "payee.promoted"],
    state: "whitelisted",
  },
  "payee.unwhitelisted": {
    label: "Payee taken off the whitelist",
    raisedBy: ["payee.unwhitelisted"],
    state: "taken_off",
  },
  "verification.opened": { label: "Verification opened", raisedBy: ["verification.opened"], state: "pending" },
  "verification.disputed": {
    label: "Payee disputed the details",
    raisedBy: ["verification.disputed_by_payee"],
    state: "disputed",
  },
  "verification.check_finished": {
    label: "Bank check finished",
    raisedBy: ["verification.bank_check_finished", "verification.checked_at_once"],
    state: "checked",
  },
  "verification.approved": { label: "Verification approved", raisedBy: ["verification.approved"], state: "verified" },
  "verification.rejected": { label: "Verification rejected", raisedBy: ["verification.rejected"], state: "rejected" },
  "verification.failed": { label: "Verification failed", raisedBy: ["verification.failed"], state: "failed" },
  "payment.recorded": {
    label: "Payment recorded",
    raisedBy: ["payment.recorded"],
    state: ({ decision }) => (decision === "held" ? "held" : "authorised"),
  },
  "payment.held_again": { label: "Payment held again", raisedBy: ["payment.returned_to_held"], state: "held" },
  "payment.approved": { label: "Held payment approved", raisedBy: ["payment.approved"], state: "authorised" },
  "payment.rejected": { label: "Held payment rejected", raisedBy: ["payment.rejected"], state: "rejected" },
  "payment.successful": { label: "Payment successful", raisedBy: ["payment.succeeded"], state: "successful" },
  "payment.failed": { label: "Payment failed", raisedBy: ["payment.failed"], state: "failed" },
  "payment_file.checked": {
    label: "Payment file checked",
    raisedBy: ["payment_file.checked"],
    /** `stopped`: it names another paying account than was declared. */
    state: ({ otherPayingAccount }) => (otherPayingAccount === undefined ? "open" : "stopped"),
  },
  "payment_file.held_again": {
    label: "Authorised payments of a file held again",
    raisedBy: ["payment_file.lines_held_again"],
    state: "held",
  },
  "payment_file.lines_approved": {
    label: "Held payments of a file approved",
    raisedBy: ["payment_file.lines_approved"],
    state: "authorised",
  },
  "payment_file.lines_rejected": {
    label: "Payments of a file rejected",
    raisedBy: ["payment_file.lines_rejected"],
    state: "rejected",
  },
  "invoice.read": { label: "Invoice read", raisedBy: ["invoice.read"], state: "read" },
  "invoice.accepted": { label: "Invoice accepted", raisedBy: ["invoice.accepted"], state: "accepted" },
  "invoice.rejected": { label: "Invoice stopped by a person", raisedBy: ["invoice.rejected"], state: "rejected" },
  "payment_file.cleared": { label: "Payment file cleared", raisedBy: ["payment_file.cleared"], state: "cleared" },
} as const satisfies Record<string, EventLine>;

export type WebhookEventName = keyof typeof WEBHOOK_EVENTS;
export const WEBHOOK_EVENT_NAMES = Object.keys(WEBHOOK_EVENTS) as WebhookEventName[];

/** The event that a person sends to test an endpoint. */
export const TEST_EVENT = "webhook.test";

const EVENT_OF = new Map<string, WebhookEventName>(
  WEBHOOK_EVENT_NAMES.flatMap((name) => WEBHOOK_EVENTS[name].raisedBy.map((action) => [action, name] as const)),
);

/** The actions that the reader of the trail has to look at. */
export const WEBHOOK_ACTIONS = [...EVENT_OF.keys()] as AuditAction[];

export const webhookEventOf = (action: string): WebhookEventName | undefined => EVENT_OF.get(action);

type RaisingAction = (typeof WEBHOOK_EVENTS)[WebhookEventName]["raisedBy"][number];

/** The audit details that are included: ids, codes and numbers. Typed text may contain anything, so it is left out. */
const MEMBERS = [
  "payeeId",
  "verificationId",
  "clearingId",
  "source",
  "outcome",
  "reasonCode",
  "score",
  "grade",
  "cause",
  "lineCount",
  "heldCount",
  "heldCents",
  "count",
  "cents",
  "verdict",
  "stops",
  "totalCents",
] as const satisfies readonly (keyof DetailsIn<RaisingAction>)[];
const CODE = /^[\w-]{1,100}$/;

const isPlain = (value: unknown): value is string | number =>
  typeof value === "number" || (typeof value === "string" && CODE.test(value));

/** The body of an event, in the format of Standard Webhooks: ids and states, never a bank number. */
export function eventPayload(name: WebhookEventName, entry: TrailEntry): string {
  const details = detailsIn<RaisingAction>(entry);
  const { state } = WEBHOOK_EVENTS[name];
  const members = MEMBERS.flatMap((member) => (isPlain(details[member]) ? [[member, details[member]] as const] : []));
  return JSON.stringify({
    type: name,
    timestamp: toIso(entry.createdAt),
    data: {
      organizationId: entry.organizationId,
      object: entry.entityType,
      id: entry.entityId,
      state: typeof state === "function" ? state(detailsIn(entry)) : state,
      ...Object.fromEntries(members),
    },
  });
}

export const testPayload = (organizationId: string, now: number): string =>
  JSON.stringify({ type: TEST_EVENT, timestamp: toIso(now), data: { organizationId } });
