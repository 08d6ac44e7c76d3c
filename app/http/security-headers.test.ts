import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { addSecurityHeaders, contentSecurityPolicy } from "./security-headers.server";

/** Checked against the tests of the Mozilla HTTP Observatory (MDN, "HTTP Observatory tests and scoring"). */

const YEARS_2 = 63_072_000;

const answered = (path: string, headers: HeadersInit = {}) =>
  addSecurityHeaders(new Request(`https://app.example${path}`), new Response("x", { headers }), "request-1").headers;

function directivesOf(policy: string): Map<string, string[]> {
  return new Map(
    policy.split(";").map((directive) => {
      const [name = "", ...sources] = directive.trim().split(/\s+/);
      return [name, sources];
    }),
  );
}

test("scripts run by nonce alone, and nothing falls back to anything unsafe", () => {
  const policy = directivesOf(contentSecurityPolicy("bm9uY2U=", false));
  expect(policy.get("script-src")).toEqual(["'nonce-bm9uY2U='", "'strict-dynamic'"]);
  const sources = [...policy.values()].flat();
  for (const unsafe of ["'unsafe-inline'", "'unsafe-eval'", "'unsafe-hashes'", "*", "http:", "https:"]) {
    expect(sources).not.toContain(unsafe);
  }
  expect(policy.get("object-src")).toEqual(["'none'"]);
  expect(policy.get("base-uri")).toEqual(["'none'"]);
  expect(policy.get("form-action")).toEqual(["'self'"]);
  expect(policy.get("frame-ancestors")).toEqual(["'none'"]);
  expect(policy.has("default-src")).toBe(true);
});

test.each(["/", "/dashboard", "/api/user", "/reset-password/x", "/nowhere"])("%s carries the whole set", (path) => {
  const headers = answered(path);
  const [, maxAge] = /max-age=(\d+)/.exec(headers.get("Strict-Transport-Security") ?? "") ?? [];
  expect(Number(maxAge)).toBeGreaterThanOrEqual(YEARS_2);
  expect(headers.get("Strict-Transport-Security")).toMatch(/includeSubDomains; preload$/);
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(headers.get("X-Frame-Options")).toBe("DENY");
  expect(headers.get("Cross-Origin-Resource-Policy")).toBe("same-origin");
  expect(headers.get("Cross-Origin-Opener-Policy")).toMatch(/^same-origin/);
  expect(headers.get("Permissions-Policy")).toContain("camera=()");
  expect(headers.get("Permissions-Policy")).toContain("publickey-credentials-get=(self)");
  expect(headers.get("Permissions-Policy")).toContain("publickey-credentials-create=(self)");
  expect(headers.get("Content-Security-Policy")).toContain("default-src 'none'");
  expect(headers.get("Cache-Control")).toBe("no-store");
  expect(headers.get("X-Request-Id")).toBe("request-1");
  expect(headers.get("Access-Control-Allow-Origin")).toBeNull();
});

test("a page's own policy and freshness are kept", () => {
  const headers = answered("/", {
    "Content-Security-Policy": "default-src 'self'",
    "Cache-Control": "private, no-cache",
  });
  expect(headers.get("Content-Security-Policy")).toBe("default-src 'self'");
  expect(headers.get("Cache-Control")).toBe("private, no-cache");
});

test.each([
  "/verify/t",
  "/reset-password/t",
  "/confirm-email/t",
  "/email-change/t",
  "/invitation/t",
  "/bank-consent/return",
  "/report-message/t",
])("%s tells no other site where it is, and its own forms where they come from", (path) => {
  expect(answered(path).get("Referrer-Policy")).toBe("same-origin");
});

test.each(["/", "/auth", "/verify", "/profile"])("%s tells other sites our name alone", (path) => {
  expect(answered(path).get("Referrer-Policy")).toBe("strict-origin-when-cross-origin");
});

test("files are served with the same set", () => {
  const file = readFileSync("public/_headers", "utf8");
  const [everything = ""] = file.split(/\n(?=\/\S)/);
  expect(everything.startsWith("/*\n")).toBe(true);
  const headers = new Headers(
    everything
      .split("\n")
      .slice(1)
      .filter((line) => line.trim() !== "")
      .map(
        (line) =>
          line
            .trim()
            .split(/:\s*(.*)/s)
            .slice(0, 2) as [string, string],
      ),
  );
  for (const name of [
    "Strict-Transport-Security",
    "X-Content-Type-Options",
    "X-Frame-Options",
    "Referrer-Policy",
    "Cross-Origin-Resource-Policy",
  ]) {
    expect([name, headers.get(name)]).toEqual([name, answered("/").get(name)]);
  }
  const policy = directivesOf(headers.get("Content-Security-Policy") ?? "");
  expect(policy.get("default-src")).toEqual(["'none'"]);
  expect(policy.get("frame-ancestors")).toEqual(["'none'"]);
  expect(policy.has("script-src")).toBe(false);
});
