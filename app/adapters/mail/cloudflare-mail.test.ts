import { expect, test } from "vitest";
import { UpstreamError } from "~/kernel/app-error";
import { createCloudflareMail, type SendEmailBinding } from "./cloudflare-mail";

const MESSAGE = { to: "ann@example.com", subject: "Hello", html: "<p>Hello</p>", text: "Hello" };

function mailOver(send: SendEmailBinding["send"], timeoutMs?: number) {
  return createCloudflareMail({
    binding: { send },
    from: "no-reply@payeeproof.example",
    replyTo: "help@payeeproof.example",
    timeoutMs,
  });
}

async function failure(send: SendEmailBinding["send"], timeoutMs?: number) {
  const error = await mailOver(send, timeoutMs)
    .send(MESSAGE, "outbox-1")
    .catch((thrown: unknown) => thrown);
  return error instanceof UpstreamError ? error.kind : error;
}

test("an email is handed to the binding as an object", async () => {
  const sent: unknown[] = [];
  const mail = mailOver(async (message) => {
    sent.push(message);
    return { messageId: "m1" };
  });
  expect(await mail.send(MESSAGE, "outbox-1")).toEqual({ providerMessageId: "m1" });
  expect(sent).toEqual([{ from: "no-reply@payeeproof.example", replyTo: "help@payeeproof.example", ...MESSAGE }]);
});

test.each([
  ["E_RATE_LIMIT_EXCEEDED", "rate_limited"],
  ["E_DAILY_LIMIT_EXCEEDED", "rate_limited"],
  ["E_DELIVERY_FAILED", "unavailable"],
  ["E_INTERNAL_SERVER_ERROR", "unavailable"],
  ["E_RECIPIENT_SUPPRESSED", "rejected"],
  ["E_VALIDATION_ERROR", "rejected"],
  ["E_SENDER_NOT_VERIFIED", "unavailable"],
])("the binding's %s is %s", async (code, kind) => {
  const send = async () => {
    throw Object.assign(new Error("no"), { code });
  };
  expect(await failure(send)).toBe(kind);
});

test("an error without a code is unreachable", async () => {
  const send = async () => {
    throw new Error("internal error");
  };
  expect(await failure(send)).toBe("unreachable");
});

test("a binding that never answers is a timeout", async () => {
  expect(await failure(() => new Promise(() => {}), 1)).toBe("timeout");
});

test("an answer without an id is malformed", async () => {
  expect(await failure(async () => ({ messageId: "" }))).toBe("malformed");
});
