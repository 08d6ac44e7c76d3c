import { expect, test } from "vitest";
import { createTwilioSms } from "~/adapters/sms/twilio-sms";
import { createBench } from "../../tests/support/simulator-bench";

test("a text message arrives with its link", async () => {
  const bench = createBench();
  const { providerMessageId } = await bench.sms.send({ to: "+61412345678", body: "Confirm: https://a.example/v/1" });
  expect(await (await bench.get("/sms/messages")).json()).toMatchObject([
    { id: providerMessageId, to: "+61412345678", from: "PayeeProof", body: "Confirm: https://a.example/v/1" },
  ]);
  expect(await (await bench.get("/sms")).text()).toContain('<a href="https://a.example/v/1">');
});

test("a messaging service can be the sender", async () => {
  const bench = createBench();
  const sms = createTwilioSms({
    baseUrl: "http://simulators.test/sms",
    accountSid: "AC1",
    authToken: "t",
    sender: { messagingServiceSid: "MG1" },
    fetch: bench.fetch,
    clock: bench.clock,
  });
  await sms.send({ to: "+61412345678", body: "Hello" });
  expect(await (await bench.get("/sms/messages")).json()).toMatchObject([{ from: "MG1" }]);
});

test.each([
  [{ to: "0412345678", body: "Hello" }, "21211"],
  [{ to: "+61412345678", body: "" }, "21602"],
  [{ to: "+61412345678", body: "x".repeat(1_601) }, "21617"],
])("%j is rejected with code %s", async (message, code) => {
  await expect(createBench().sms.send(message)).rejects.toMatchObject({ kind: "rejected", options: { code } });
});

test.each([
  [400, 21211, "rejected"],
  [400, 21610, "rejected"],
  [400, 21606, "unavailable"],
  [400, 21611, "unavailable"],
  [403, 20003, "unavailable"],
  [404, 20404, "unavailable"],
  [402, 20006, "unavailable"],
] as const)("HTTP %i with code %i is %s: only what is about the number drops a message", async (status, code, kind) => {
  const sms = createTwilioSms({
    baseUrl: "https://sms.example",
    accountSid: "AC1",
    authToken: "t",
    sender: { from: "PayeeProof" },
    fetch: async () => Response.json({ code, message: "no" }, { status }),
    clock: { now: () => 0 },
  });
  await expect(sms.send({ to: "+61412345678", body: "Hello" })).rejects.toMatchObject({ kind });
});
