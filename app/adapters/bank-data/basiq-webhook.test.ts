import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { verifyBasiqWebhook, WebhookRejected } from "./basiq-webhook";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const OLD_SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
const NOW = Date.UTC(2026, 10, 20, 1, 0, 0);
const BODY = JSON.stringify({ eventTypeId: "connection.activated", eventId: "e1", links: {} });

/** Signed by the reference implementation, which shares no code with ours. */
function delivery({ secret = SECRET, sentAt = NOW, body = BODY, id = "msg_1" } = {}) {
  return new Headers({
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(sentAt / 1000)),
    "webhook-signature": new Webhook(secret).sign(id, new Date(sentAt), body),
  });
}

const verify = (input: Partial<Parameters<typeof verifyBasiqWebhook>[0]>) =>
  verifyBasiqWebhook({ secret: SECRET, headers: delivery(), rawBody: BODY, nowMs: NOW, ...input });

const rejection = (input: Parameters<typeof verify>[0]) =>
  verify(input).then(
    () => "accepted",
    (error) => (error instanceof WebhookRejected ? error.reason : error),
  );

describe("a webhook", () => {
  test("signed by the provider is believed", async () => {
    const expected = { webhookId: "msg_1", eventId: "e1", eventTypeId: "connection.activated" };
    expect(await verify({})).toEqual(expected);
    expect(await verify({ rawBody: new TextEncoder().encode(BODY) })).toEqual(expected);
  });

  test("is believed whatever its body says, and not with one letter changed", async () => {
    const bodies = fc.record({ eventId: fc.string({ minLength: 1 }), eventTypeId: fc.string({ minLength: 1 }) });
    await fc.assert(
      fc.asyncProperty(bodies, fc.nat(), async (event, at) => {
        const body = JSON.stringify(event);
        const place = at % body.length;
        const changed = `${body.slice(0, place)}\u007f${body.slice(place + 1)}`;
        const headers = delivery({ body });
        expect(await rejection({ headers, rawBody: body })).toBe("accepted");
        if (changed !== body) expect(await rejection({ headers, rawBody: changed })).toBe("bad_signature");
      }),
    );
  });

  test("is believed under any accepted secret", async () => {
    const headers = delivery({ secret: OLD_SECRET });
    expect(await rejection({ headers })).toBe("bad_signature");
    expect(await rejection({ headers, secret: [SECRET, OLD_SECRET] })).toBe("accepted");
  });

  test("is believed when one of several signatures is right", async () => {
    const headers = delivery();
    const right = headers.get("webhook-signature");
    headers.set("webhook-signature", `v1a,AAAA v1,not*base64 v1,${btoa("x".repeat(32))} ${right}`);
    expect(await rejection({ headers })).toBe("accepted");
  });

  test.each([
    ["with another body", { rawBody: `${BODY} ` }],
    ["with another id", { headers: withHeader("webhook-id", "msg_2") }],
    ["with another time", { headers: withHeader("webhook-timestamp", String(NOW / 1000 - 1)) }],
    ["with a signature of an unknown version", { headers: withHeader("webhook-signature", "v2,AAAA") }],
    ["under no secret", { secret: [] }],
  ])("%s is a forgery", async (_, input) => {
    expect(await rejection(input)).toBe("bad_signature");
  });

  test.each(["webhook-id", "webhook-timestamp", "webhook-signature"])("without %s is refused", async (name) => {
    const headers = delivery();
    headers.delete(name);
    expect(await rejection({ headers })).toBe("missing_headers");
  });

  test.each([
    [-301, "too_old"],
    [-300, "accepted"],
    [300, "accepted"],
    [301, "too_old"],
  ])("sent %i seconds from now is %s", async (seconds, expected) => {
    expect(await rejection({ headers: delivery({ sentAt: NOW + seconds * 1000 }) })).toBe(expected);
  });

  test.each(["", "[]", "{", '{"eventId":"e1"}', '{"eventId":1,"eventTypeId":"x"}'])(
    "with the body %j is malformed",
    async (body) => {
      expect(await rejection({ headers: delivery({ body }), rawBody: body })).toBe("malformed");
    },
  );

  test("with a time that is no number is malformed", async () => {
    expect(await rejection({ headers: withHeader("webhook-timestamp", "soon") })).toBe("malformed");
  });
});

function withHeader(name: string, value: string): Headers {
  const headers = delivery();
  headers.set(name, value);
  return headers;
}
