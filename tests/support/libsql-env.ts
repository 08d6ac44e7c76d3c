import { bindLibsql } from "@db/libsql-binding";
import { inject } from "vitest";
import { TEST_ENV } from "./test-env";

/** Replaces `cloudflare:workers` for the tests that run in Node on a libSQL server. */

const url = inject("libsqlUrl");

/** Never called, because the tests' services replace each of them. */
const unused = new Proxy({}, { get: (_, name) => () => Promise.reject(new Error(`${String(name)} is asked`)) });
const bindings = { BANK_CHECKS: unused, JOBS: unused, DEAD_LETTERS: unused, NOTES: unused, READER: unused };

/** `DB` is for the tests' own queries. The product uses its libSQL driver. */
export const env = { ...TEST_ENV, ...bindings, DB: bindLibsql(url), DB_DRIVER: "libsql", LIBSQL_URL: url };
