import { expect, test } from "vitest";
import { createBench, jsonOf } from "../../tests/support/simulator-bench";
import { type LedgerEntry, maskNumbers } from "./ledger";

test("every call of the app is kept, newest first, with its key and its answer", async () => {
  const bench = createBench();
  await bench.bankData.createUser({ email: "a@example.com" }, "check-1");
  await bench.postJson("/faults", { party: "mail", fault: "500" });
  await bench.mail
    .send({ to: "a@example.com", subject: "Hi", html: "secret", text: "secret" }, "outbox-1")
    .catch(() => {});
  const entries = await jsonOf<LedgerEntry[]>(bench.get("/ledger.json"));
  expect(entries).toMatchObject([
    { party: "mail", method: "POST", path: "/mail/emails", status: 500, fault: "500", idempotencyKey: "outbox-1" },
    { party: "basiq", method: "POST", path: "/basiq/users", status: 201, fault: null, idempotencyKey: "check-1" },
    { party: "basiq", method: "POST", path: "/basiq/token", status: 200 },
  ]);
  expect(entries[0]?.body).toBe('{"to":["a@example.com"],"subject":"Hi"}');
  expect(new Set(entries.map(({ correlationId }) => correlationId)).size).toBe(3);
});

test("the ledger can be asked for one party, as data and as a page", async () => {
  const bench = createBench();
  await bench.bankData.createUser({ email: "a@example.com" }, "1");
  await bench.sms.send({ to: "+61412345678", body: "Hi" });
  expect(await (await bench.get("/ledger.json?party=sms")).json()).toHaveLength(1);
  const page = await (await bench.get("/ledger?party=sms")).text();
  expect(page).toContain("Messages.json");
  expect(page).not.toContain("/basiq/users");
});

test("what a person or a script does is not a call of the app", async () => {
  const bench = createBench();
  for (const path of ["/", "/mail", "/mail/messages", "/sms", "/basiq", "/faults", "/ledger", "/healthz"]) {
    expect((await bench.get(path)).status).toBe(200);
  }
  await bench.postJson("/basiq/complete", { verificationId: "v", persona: "match" });
  expect(await (await bench.get("/ledger.json")).json()).toEqual([]);
});

test.each([
  ['{"accountNumber":"012345678"}', '{"accountNumber":"***678"}'],
  ["062-000 1234 5678", "***678"],
  ['{"mobile":"+61412345678"}', '{"mobile":"+***678"}'],
  ["userId=0190c5d2-1234-7567-89ab-0123456789ab", "userId=0190c5d2-1234-7567-89ab-0123456789ab"],
  ["in 1 of 12 tries", "in 1 of 12 tries"],
])("%s is kept as %s", (text, kept) => {
  expect(maskNumbers(text)).toBe(kept);
});

test("what is not simulated is not found", async () => {
  expect((await createBench().get("/nothing")).status).toBe(404);
});
