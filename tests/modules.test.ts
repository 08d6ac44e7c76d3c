import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

/** How the modules build on each other, read from their imports. */

/** Each module may import only modules that are before it. */
const ORDER = [
  "account-fingerprints",
  "search-terms",
  "bsb-directory",
  "audit",
  "commands",
  "audit-seals",
  "trail-readers",
  "detail-reveals",
  "notifications",
  "payment-holds",
  "alerts",
  "deliveries",
  "webhook-endpoints",
  "name-match",
  "business-register",
  "payment-rules",
  "contact",
  "organizations",
  "whitelist",
  "identity",
  "members",
  "billing",
  "administration",
  "verifications",
  "payee-links",
  "payees",
  "payee-requests",
  "payee-health",
  "imports",
  "staff-accounts",
  "bsb-updates",
  "call-backs",
  "assignments",
  "comments",
  "review",
  "saved-views",
  "bank-answers",
  "bank-checks",
  "bulk-checks",
  "bulk-review",
  "payment-facts",
  "remittances",
  "payments",
  "payment-files",
  "integrations",
  "audit-trail",
  "printed-documents",
  "certificates",
  "evidence-packs",
  "reports",
  "dashboard",
  "api-description",
  "housekeeping",
];

/** Imports that still point the other way: `file -> module`. This list may only get shorter. */
const AGAINST_THE_ORDER: readonly string[] = [];

const MODULES = path.resolve("app/modules");

const files = readdirSync(MODULES, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
  .map((name) => name.split(path.sep).join("/"))
  .sort();

const read = (file: string) => readFileSync(path.join(MODULES, file), "utf8");
const moduleOf = (file: string) => file.slice(0, file.indexOf("/"));

test("every module has its place in the order", () => {
  expect([...new Set(files.map(moduleOf))].filter((name) => !ORDER.includes(name))).toEqual([]);
});

test("modules import only modules before them, so no two import each other", () => {
  const against = files.flatMap((file) => {
    const imported = [...read(file).matchAll(/from "~\/modules\/([^"/]+)/g)].map(([, name = ""]) => name);
    const later = imported.filter((name) => ORDER.indexOf(name) > ORDER.indexOf(moduleOf(file)));
    return [...new Set(later)].map((name) => `${file} -> ${name}`);
  });
  expect(against).toEqual(AGAINST_THE_ORDER);
});

test("only runCommand commits", () => {
  const importers = files.filter((file) => /from "@db\/commit"/.test(read(file)));
  expect(importers).toEqual(["commands/run-command.server.ts"]);
  expect(files.filter((file) => /\bdb\s*\.batch\(/.test(read(file)))).toEqual([]);
});

test("what writes is a command, under no other name", () => {
  const writes =
    /import \{[^}]*(?<!type )\brun(Command|Once|Step|Statement)\b[^}]*\} from "(~\/modules\/commands|\.)\//;
  const writers = files.filter((file) => writes.test(read(file)) && !file.endsWith(".commands.server.ts"));
  // How the commands that read the audit trail go on in it is shared by them.
  // So is what several commands do about a user at the bank data provider whom they cannot keep.
  expect(writers).toEqual(["bank-checks/forget-provider-user.server.ts", "trail-readers/read-on.server.ts"]);
});
