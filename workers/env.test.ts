import { expect, test } from "vitest";
import { TEST_ENV } from "../tests/support/test-env";
import { readEnv } from "./env";

const BINDINGS = { DB: {}, NOTES: {}, BANK_CHECKS: {}, JOBS: {}, DEAD_LETTERS: {}, READER: {} };
const KEY = "HxwdGxoZGBcWFRQTEhEQDw4NDAsKCQgHBgUEAwIBAAA";

const read = (changed: Record<string, string | undefined> = {}) => {
  const all = { ...TEST_ENV, ...BINDINGS, ...changed };
  return readEnv(Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)));
};

/** The problems that start-up reports, one per line. */
function problemsOf(changed: Record<string, string | undefined>): string[] {
  try {
    read(changed);
    return [];
  } catch (error) {
    return String(error).split("\n").slice(1);
  }
}

test("the environment of the tests is complete", () => {
  expect(problemsOf({})).toEqual([]);
});

test("everything that is missing or malformed is named in one message, keys included", () => {
  const problems = problemsOf({
    APP_ORIGIN: "app.payeeproof.example",
    COOKIE_SECRETS: "short",
    FINGERPRINT_KEYS: "f1:AAEC",
    ENCRYPTION_KEYS: undefined,
    STRIPE_SECRET_KEY: "whsec_x",
    MAIL_API_KEY: undefined,
    DB: undefined,
  });
  expect(problems.map((line) => line.split(":")[0])).toEqual([
    "APP_ORIGIN",
    "COOKIE_SECRETS",
    "FINGERPRINT_KEYS",
    "ENCRYPTION_KEYS",
    "STRIPE_SECRET_KEY",
    "DB",
    "MAIL_API_KEY",
  ]);
  expect(problems).toContain("ENCRYPTION_KEYS: is missing");
});

test.each([
  ["COOKIE_SECRETS", `${"a".repeat(32)},`, "has an empty member: a comma too many?"],
  ["COOKIE_SECRETS", `${"a".repeat(32)},short`, "member 2"],
  ["SMS_AUTH_TOKEN", "new,,old", "has an empty member: a comma too many?"],
  ["SMS_AUTH_TOKEN", "same, same", "has a member twice"],
  ["ENCRYPTION_KEYS", `e1:${KEY},`, "each key is name:base64url of 32 bytes"],
  ["ENCRYPTION_KEYS", `e1:${KEY},e1:${KEY}`, "has two keys with the same name"],
  ["ENCRYPTION_KEYS", `e.1:${KEY}`, "each key is name:base64url of 32 bytes"],
  ["FINGERPRINT_KEYS", KEY, "each key is name:base64url of 32 bytes"],
  ["BASIQ_WEBHOOK_SECRET", "dGVzdC13ZWJob29rLXNlY3JldA==", "is not whsec_ and base64"],
  ["MAIL_WEBHOOK_SECRETS", "whsec_x", "is not whsec_ and base64"],
  ["STRIPE_PUBLISHABLE_KEY", "sk_live_1", "does not begin with pk_"],
  ["COP_API_VERSION", "2026-01-01", "is not a date such as 20260101"],
  ["WEBHOOK_RELAY_URL", "receiver", "is not an address"],
  ["LIBSQL_URL", "postgres://db.example", "does not begin with libsql:// or https:// or http://"],
  ["LIBSQL_URL", "https://app:secret@db.example", "has a name or password in it: use LIBSQL_AUTH_TOKEN"],
  ["DATABASE_LIMIT_BYTES", "10GB", "is not a number"],
  ["STATUS_TOKENS", "short", "member 1 is shorter than 32 characters"],
])("%s = %s is refused", (name, value, why) => {
  expect(problemsOf({ [name]: value })).toEqual([expect.stringMatching(new RegExp(`^${name}: .*`))]);
  expect(problemsOf({ [name]: value }).join()).toContain(why);
});

test("a list is read in its order, with spaces taken off", () => {
  const { SMS_AUTH_TOKEN, ENCRYPTION_KEYS } = read({
    SMS_AUTH_TOKEN: "new, old",
    ENCRYPTION_KEYS: `e2:${KEY}, e1:${KEY}`,
  });
  expect(SMS_AUTH_TOKEN).toEqual(["new", "old"]);
  expect(ENCRYPTION_KEYS.map(({ id }) => id)).toEqual(["e2", "e1"]);
});

const PARTIES = {
  "text messages": ["SMS_ACCOUNT_SID", "SMS_AUTH_TOKEN", "SMS_FROM", "SMS_BASE_URL"],
  "reports about email": ["MAIL_WEBHOOK_SECRETS"],
  Xero: ["XERO_CLIENT_ID", "XERO_CLIENT_SECRET", "XERO_WEBHOOK_KEYS"],
  MYOB: ["MYOB_CLIENT_ID", "MYOB_CLIENT_SECRET"],
  "Confirmation of Payee": ["COP_TOKEN"],
  "the business register": ["ABR_GUID"],
};
const without = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, undefined]));

test.each(Object.entries(PARTIES))("without %s the rest starts", (_, names) => {
  expect(problemsOf(without(names))).toEqual([]);
});

test("without any of them the rest starts", () => {
  expect(problemsOf(without(Object.values(PARTIES).flat()))).toEqual([]);
});

test("half of a party is refused: nobody would see that it is off", () => {
  expect(problemsOf({ SMS_AUTH_TOKEN: undefined, XERO_CLIENT_ID: undefined })).toEqual([
    "SMS_AUTH_TOKEN: is missing, beside SMS_ACCOUNT_SID",
    "XERO_CLIENT_ID: is missing, beside XERO_CLIENT_SECRET",
  ]);
});
