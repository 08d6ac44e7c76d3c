import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { WebhookRejected } from "../standard-webhook";
import { readMailWebhook } from "./mail-webhook";

const SECRET = `whsec_${btoa("mail-secret-for-this-test")}`;
const OTHER = `whsec_${btoa("another-secret-of-this-test")}`;
const NOW = Date.parse("2026-11-20T05:31:00Z");

type Given = { secret?: string; prefix?: string; body?: string; sentAt?: number; secrets?: string[] };

const eventOf = (type: string, more: object = {}) =>
  JSON.stringify({
    type,
    created_at: "2026-11-20T05:31:00Z",
    data: { email_id: "e1", to: ["jo@wattle.example"], ...more },
  });

function read({
  secret = SECRET,
  prefix = "svix",
  body = eventOf("email.bounced"),
  sentAt = NOW,
  secrets = [SECRET],
}: Given) {
  const headers = new Headers({
    [`${prefix}-id`]: "msg_1",
    [`${prefix}-timestamp`]: String(Math.floor(sentAt / 1000)),
    [`${prefix}-signature`]: new Webhook(secret).sign("msg_1", new Date(sentAt), body),
  });
  return readMailWebhook({ secrets, headers, rawBody: body, nowMs: NOW });
}

const reasonOf = async (given: Given) => {
  const error = await read(given).catch((thrown: unknown) => thrown);
  return error instanceof WebhookRejected ? error.reason : error;
};

test.each([
  ["email.delivered", {}, "delivered", null],
  ["email.complained", {}, "complained", null],
  ["email.bounced", {}, "bounced", null],
  ["email.bounced", { bounce: { type: "Permanent", message: "No such mailbox" } }, "bounced", "No such mailbox"],
  ["email.bounced", { bounce: { type: "Transient", message: "Mailbox full" } }, "failed", "Mailbox full"],
  ["email.bounced", { bounce: { type: "Undetermined" } }, "failed", null],
  ["email.bounced", { bounce: { type: null, message: null } }, "bounced", null],
  ["email.bounced", { to: "jo@wattle.example" }, "bounced", null],
  ["email.suppressed", {}, "bounced", null],
  [
    "email.suppressed",
    { suppressed: { reason: "previous_bounce", type: "OnAccountSuppressionList", message: "On the list" } },
    "bounced",
    "On the list",
  ],
  ["email.suppressed", { suppressed: { reason: "previous_complaint" } }, "complained", null],
  ["email.failed", { failed: { reason: "reached_daily_quota" } }, "failed", "reached_daily_quota"],
])("%s %j is %s", async (type, more, outcome, detail) => {
  expect(await read({ body: eventOf(type, more) })).toEqual({
    messageId: "e1",
    to: "jo@wattle.example",
    outcome,
    detail,
  });
});

test("what says nothing of an email's delivery is passed over", async () => {
  expect(await read({ body: eventOf("email.opened") })).toBeUndefined();
  expect(await read({ body: JSON.stringify({ type: "contact.created", data: {} }) })).toBeUndefined();
});

test("both spellings of the headers and any of several secrets will do", async () => {
  expect(await read({ prefix: "webhook" })).toMatchObject({ outcome: "bounced" });
  expect(await read({ secrets: [OTHER, SECRET] })).toMatchObject({ outcome: "bounced" });
});

test.each<[string, Given, string]>([
  ["another secret", { secret: OTHER }, "bad_signature"],
  ["no secret of ours", { secrets: [] }, "bad_signature"],
  ["six minutes ago", { sentAt: NOW - 6 * 60_000 }, "too_old"],
  ["a body that is no JSON", { body: "{" }, "malformed"],
  ["an event without a type", { body: "{}" }, "malformed"],
  ["an event without an email", { body: JSON.stringify({ type: "email.bounced", data: {} }) }, "malformed"],
])("%s is refused", async (_, given, reason) => {
  expect(await reasonOf(given)).toBe(reason);
});
