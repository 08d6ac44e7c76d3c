import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { pathOf } from "../../tests/support/route-path";
import { scopeRule } from "./api-scopes.server";

const ROUTES = "app/routes/api+";
const ID = "0198c5a0-0000-7000-8000-000000000000";

const files = readdirSync(ROUTES).filter((name) => name !== "$.ts");

const calls = files.flatMap((file) => {
  const methods = [...readFileSync(`${ROUTES}/${file}`, "utf8").matchAll(/\b(GET|POST|PATCH|DELETE|PUT)\s*:/g)];
  return methods.map(([, method = ""]) => ({ file, method, path: pathOf(`api+/${file}`).replace(/:\w+/g, ID) }));
});

test("every file of a call says which methods it answers", () => {
  expect(files.filter((file) => !calls.some((call) => call.file === file))).toEqual([]);
  expect(calls.length).toBeGreaterThan(20);
});

test.each(calls)("$method $path says what it asks of an API token", ({ method, path }) => {
  expect(scopeRule(method, path)).toBeDefined();
});

test.each([
  ["GET", "/api/payees", "payees:read"],
  ["HEAD", `/api/payees/${ID}`, "payees:read"],
  ["PATCH", `/api/payees/${ID}`, "payees:write"],
  ["DELETE", `/api/payees/${ID}/whitelist`, "payees:write"],
  ["POST", `/api/payees/${ID}/verifications`, "verifications:write"],
  ["GET", "/api/verifications/pending", "verifications:read"],
  ["POST", `/api/verifications/${ID}/review`, "verifications:write"],
  ["POST", `/api/bulk-checks/${ID}/start`, "verifications:write"],
  ["POST", "/api/payments", "payments:write"],
  ["POST", `/api/payments/${ID}/decision`, "payments:write"],
  ["GET", "/api/audit/export.ndjson", "audit:read"],
  ["GET", "/api/user", "any"],
  ["POST", "/api/login", "session"],
  ["POST", "/api/select-organization", "session"],
  ["POST", "/api/billing/cancel-subscription", "session"],
  ["POST", `/api/integrations/${ID}/sync`, "session"],
  ["DELETE", `/api/webhook-endpoints/${ID}`, "session"],
  ["POST", "/api/audit", undefined],
  ["GET", "/api/nothing", undefined],
  ["GET", "/api/payeesx", undefined],
  ["GET", "/payees", undefined],
])("%s %s asks for %s", (method, path, rule) => {
  expect(scopeRule(method, path)).toBe(rule);
});
