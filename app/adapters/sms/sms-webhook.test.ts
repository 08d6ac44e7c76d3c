import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { readSmsReport, SmsReportRejected } from "./sms-webhook";

const URL_TEXT = "https://app.payeeproof.example/webhooks/sms";
const TOKEN = "an-auth-token";

type Given = {
  fields?: Record<string, string>;
  token?: string;
  url?: string;
  authTokens?: string[];
  signature?: string;
};

function read({ fields = {}, token = TOKEN, url = URL_TEXT, authTokens = [TOKEN], signature }: Given) {
  const form = new URLSearchParams({ MessageSid: "SM1", AccountSid: "AC1", To: "+61412345678", ...fields });
  const text =
    url +
    [...form]
      .sort()
      .map(([name, value]) => name + value)
      .join("");
  const own = createHmac("sha1", token).update(text).digest("base64");
  return readSmsReport({ authTokens, signature: signature ?? own, url: URL_TEXT, form });
}

test.each([
  [{ MessageStatus: "delivered" }, { messageId: "SM1", isDelivered: true, code: null }],
  [
    { MessageStatus: "undelivered", ErrorCode: "30003" },
    { messageId: "SM1", isDelivered: false, code: "30003" },
  ],
  [{ MessageStatus: "failed" }, { messageId: "SM1", isDelivered: false, code: null }],
  [
    { MessageStatus: "failed", ErrorCode: "<b>" },
    { messageId: "SM1", isDelivered: false, code: null },
  ],
  [{ MessageStatus: "queued" }, undefined],
  [{ MessageStatus: "sent" }, undefined],
  [{}, undefined],
])("%j is read", async (fields, report) => {
  expect(await read({ fields })).toEqual(report);
});

test("a token that was changed is accepted while it is listed", async () => {
  expect(await read({ fields: { MessageStatus: "delivered" }, authTokens: ["new", TOKEN] })).toMatchObject({
    isDelivered: true,
  });
});

// The example of the provider's own documentation, twilio.com/docs/usage/security: token 12345.
test("the signature is the documented one", async () => {
  const form = new URLSearchParams({
    CallSid: "CA1234567890ABCDE",
    Caller: "+14158675309",
    Digits: "1234",
    From: "+14158675309",
    To: "+18005551212",
  });
  const url = "https://mycompany.com/myapp.php?foo=1&bar=2";
  const posted = { authTokens: ["12345"], signature: "RSOYDt4T1cUTdK1PDd93/VVr8B8=", url, form };
  const error = await readSmsReport(posted).catch((thrown: unknown) => thrown);
  // Signed, but about a call and no message.
  expect(error).toMatchObject({ message: "malformed" });
});

test.each<[string, Given]>([
  ["another token", { token: "other" }],
  ["another address", { url: "https://elsewhere.example/webhooks/sms" }],
  ["no signature", { signature: "" }],
  ["what is no base64", { signature: "%%%" }],
  ["no token of ours", { authTokens: [] }],
])("%s is refused", async (_, given) => {
  const error = await read({ fields: { MessageStatus: "delivered" }, ...given }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(SmsReportRejected);
  expect(error).toMatchObject({ message: "bad_signature" });
});
