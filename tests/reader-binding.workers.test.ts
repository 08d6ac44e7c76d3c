import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { createDocumentReader } from "~/adapters/document-reader/reader-binding";

/** The app reaches the reader by its binding, in the runtime. */

test("the reader is bound to the app", async () => {
  const { READER } = env as unknown as { READER: Fetcher };
  const reader = createDocumentReader({ binding: READER, log: { warn: () => {} } });
  const mail = "From: a@supplier.example\r\nSubject: Invoice\r\n\r\nBSB 062-000 Account 12345678\r\n";
  const read = await reader.read({
    bytes: new TextEncoder().encode(mail),
    contentType: "message/rfc822",
    fileName: "a.eml",
  });
  expect(read).toMatchObject({
    status: "read",
    kind: "email",
    accounts: [{ bsb: "062000", accountNumber: "12345678", certain: true }],
  });
});
