import { expect, test } from "vitest";
import { admit, MOST_WAITING } from "./load";

const asked = (path: string, method = "GET") => ({ method, url: `https://app.example${path}` });
const KINDS = ["/dashboard", "/payees.data", "/api/payees", "/webhooks/stripe", "/scim/v2/Users"];

test("everything is taken in while little waits", () => {
  for (const path of KINDS) expect([path, admit(MOST_WAITING - 1, asked(path))]).toEqual([path, "in"]);
});

test("beyond that each is refused in its own form", () => {
  const refused = KINDS.map((path) => admit(MOST_WAITING, asked(path)));
  expect(refused).toEqual(["page", "without_database", "json", "json", "json"]);
  expect(admit(MOST_WAITING, asked("/api/payments", "POST"))).toBe("json");
  expect(admit(MOST_WAITING, asked("/webhooks/basiq", "POST"))).toBe("json");
  expect(admit(MOST_WAITING, asked("/api/docs"))).toBe("page");
});

test("a form that a person filled in is taken in for longer, and not for ever", () => {
  for (const [path, form] of [
    ["/payees/verify", "page"],
    ["/payees/verify.data", "without_database"],
  ] as const) {
    expect(admit(MOST_WAITING, asked(path, "POST"))).toBe("in");
    expect(admit(MOST_WAITING * 2 - 1, asked(path, "POST"))).toBe("in");
    expect(admit(MOST_WAITING * 2, asked(path, "POST"))).toBe(form);
  }
});

test("the health check is always answered", () => {
  for (const path of ["/healthz", "/healthz/status"])
    expect([path, admit(1_000_000, asked(path))]).toEqual([path, "in"]);
});
