import { expect, test } from "vitest";
import { createBench } from "../tests/support/simulator-bench";

test.each([
  "/favicon.ico",
  "/stripe/favicon.ico",
  "/stripe/bank/favicon.ico",
  "/basiq/favicon.ico",
  "/mail/favicon.ico",
  "/xero/favicon.ico",
  "/nobody/favicon.ico",
])("a browser on a simulated page asks for %s, and gets an empty answer that is no error", async (path) => {
  const answer = await createBench().get(path);
  expect(answer.status).toBe(204);
  expect(await answer.text()).toBe("");
});

test("any other address that nobody simulates is not found", async () => {
  expect((await createBench().get("/favicon.icon")).status).toBe(404);
});
