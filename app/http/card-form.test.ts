import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { cardFormSources, contentSecurityPolicy } from "./security-headers.server";

const inventory = JSON.parse(readFileSync("docs/payment-page.json", "utf8"));
const provider = { publishableKey: "pk_live_x", standInScript: null };
const sourcesOf = (path: string) => cardFormSources(new URL(path, "https://app.test"), provider);

test("the page with the card form allows exactly what the inventory names", () => {
  expect(sourcesOf(inventory.page)).toEqual(inventory.sources);
});

test("every host that may run a script stands in the inventory with its reason", () => {
  const named: string[] = inventory.scripts.map((script: { source: string }) => script.source);
  const hosts = (sourcesOf(inventory.page).script ?? []).map((source) => source.replace("*.", ""));
  expect(new Set(["self", ...hosts])).toEqual(new Set(named));
  for (const script of inventory.scripts) {
    expect(Object.keys(script).sort()).toEqual(["authorised", "integrity", "source", "what", "why"]);
  }
});

test.each(["/subscription", "/subscription/cancel?pay=1", "/dashboard?pay=1", "/"])("%s allows nobody else", (path) => {
  const policy = contentSecurityPolicy("n", false, sourcesOf(path));
  expect(policy).not.toContain("stripe");
  expect(policy).toBe(contentSecurityPolicy("n", false));
});

test("the policy of the card form keeps the rest as strict as everywhere", () => {
  const policy = contentSecurityPolicy("n", false, sourcesOf(inventory.page));
  expect(policy).toContain("script-src 'nonce-n' 'strict-dynamic' https://js.stripe.com");
  expect(policy).toContain("frame-src https://js.stripe.com");
  expect(policy).toContain("style-src 'self';");
  expect(policy).toContain("form-action 'self'");
  expect(policy).not.toContain("unsafe");
});
