import { expect, test } from "vitest";
import { hosts } from "./hosts";

const fetch = hosts({ "https://known.example": { fetch: async () => new Response("hello") } });

test("a simulated host answers", async () => {
  expect(await (await fetch(new Request("https://known.example/a"))).text()).toBe("hello");
});

test.each(["https://unknown.example/", "http://known.example/", "https://known.example:8443/"])(
  "%s throws",
  async (url) => {
    await expect(fetch(new Request(url))).rejects.toThrow("Nobody simulates");
  },
);

test("an aborted request rejects", async () => {
  const never = hosts({ "https://known.example": { fetch: () => new Promise(() => {}) } });
  const controller = new AbortController();
  const answer = never(new Request("https://known.example/", { signal: controller.signal }));
  controller.abort(new Error("enough"));
  await expect(answer).rejects.toThrow("enough");
});
