import { expect, test } from "vitest";
import { splitDomain } from "./domain-name";

test.each([
  ["acme.com.au", "acme", "com.au"],
  ["mail.acme.com.au", "acme", "com.au"],
  ["a.b.c.acme.com", "acme", "com"],
  ["acme.com", "acme", "com"],
  ["ACME.Com.AU.", "acme", "com.au"],
  ["acme.au", "acme", "au"],
  ["transport.nsw.gov.au", "transport", "nsw.gov.au"],
  ["mail.health.vic.gov.au", "health", "vic.gov.au"],
  ["ato.gov.au", "ato", "gov.au"],
  ["unimelb.edu.au", "unimelb", "edu.au"],
  ["acme.co.nz", "acme", "co.nz"],
  ["acme.co.uk", "acme", "co.uk"],
  ["acme.co", "acme", "co"],
  ["com.au", "com", "au"],
  ["localhost", "localhost", ""],
  ["xn--bcher-kva.com.au", "bücher", "com.au"],
  ["mail.xn--bcher-kva.com.au", "bücher", "com.au"],
  ["ａｃｍｅ.com", "acme", "com"],
])("%s is %s under %s", (domain, name, suffix) => {
  const parts = splitDomain(domain);
  expect(parts).toMatchObject({ name, suffix });
  expect(parts.registered).toBe(suffix ? `${name}.${suffix}` : name);
});

test("only a registered label in xn-- form counts as encoded", () => {
  expect(splitDomain("xn--bcher-kva.com").isEncoded).toBe(true);
  expect(splitDomain("xn--bcher-kva.acme.com").isEncoded).toBe(false);
  expect(splitDomain("bücher.com").isEncoded).toBe(false);
});

test("a name of nothing but dots is taken apart without an exception", () => {
  expect(splitDomain("").name).toBe("");
  expect(splitDomain("...").registered).toBe("");
});
