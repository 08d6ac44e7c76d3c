import { bindLibsql } from "@db/libsql-binding";
import { inject } from "vitest";
import { TEST_ENV } from "./test-env";

/** What `cloudflare:workers` is to the tests that run on a libSQL server, in Node. */

const url = inject("libsqlUrl");

/** Never asked: the tests' services have their own in the place of each. */
const unused = new Proxy({}, { get: (_, name) => () => Promise.reject(new Error(`${String(name)} is asked`)) });
const bindings = { BANK_CHECKS: unused, JOBS: unused, NOTES: unused, READER: unused };

/** `DB` is for the tests' own looks. The product has the driver that it has when it is deployed. */
export const env = { ...TEST_ENV, ...bindings, DB: bindLibsql(url), DB_DRIVER: "libsql", LIBSQL_URL: url };
