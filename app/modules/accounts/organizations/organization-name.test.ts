import { expect, test } from "vitest";
import { suggestOrganizationName } from "./organization";

test.each([
  ["acme.com.au", "Acme"],
  ["acme.example", "Acme"],
  ["harbour-foods.com.au", "Harbour Foods"],
  ["mail.acme.com", "Acme"],
  ["ab.au", "Ab"],
  ["3aw.com.au", "3aw"],
])("the domain %s suggests the name %s", (domain, name) => {
  expect(suggestOrganizationName(domain)).toBe(name);
});

test.each(["", "a", "localhost", "a.com.au", "x.au", "gmail.com", "bigpond.com", "-"])(
  "the domain %j suggests no name",
  (domain) => {
    expect(suggestOrganizationName(domain)).toBe("");
  },
);
