import fc from "fast-check";
import { expect, test } from "vitest";
import { usernameFrom, usernameWithSuffix } from "./register.server";

test.each([
  ["mira.okafor@acme.example", "mira.okafor"],
  ["Mira+news@acme.example", "mira-news"],
  ["o'brien@acme.example", "o-brien"],
  ["_ap_@acme.example", "_ap_"],
  ["+++@acme.example", "person"],
  [`${"x".repeat(64)}@acme.example`, "x".repeat(40)],
])("the address %s suggests the username %s", (email, username) => {
  expect(usernameFrom(email)).toBe(username);
});

test("a username is short, plain and never looks like an address, with a suffix too", () => {
  fc.assert(
    fc.property(fc.emailAddress(), fc.base64String({ minLength: 30 }), (email, random) => {
      const username = usernameFrom(email);
      expect(username).toMatch(/^[a-z0-9._-]{1,40}$/);
      expect(usernameWithSuffix(username, random)).toMatch(/^[a-z0-9._-]{1,40}$/);
    }),
  );
});

test("a suffix is four letters or digits of the random text", () => {
  expect(usernameWithSuffix("mira", "A_b-9Zqq")).toBe("mira-ab9z");
});
