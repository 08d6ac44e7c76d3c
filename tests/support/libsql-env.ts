import { createClient, type InValue, type ResultSet } from "@libsql/client";
import { inject } from "vitest";
import { TEST_ENV } from "./test-env";

/** What `cloudflare:workers` is to the tests that run on a libSQL server, in Node. */

const url = inject("libsqlUrl");
const client = createClient({ url });

const toD1 = ({ rows, columns }: ResultSet) => ({
  results: rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]]))),
  success: true,
  meta: {},
});

type Bound = { sql: string; args: unknown[] };
const asked = ({ sql, args }: Bound) =>
  client.execute({ sql, args: args.map((each) => (typeof each === "boolean" ? Number(each) : each)) as InValue[] });

const statement = (bound: Bound) => ({
  bind: (...args: unknown[]) => statement({ sql: bound.sql, args }),
  all: async () => toD1(await asked(bound)),
  run: async () => toD1(await asked(bound)),
  first: async () => toD1(await asked(bound)).results[0] ?? null,
  raw: async () => (await asked(bound)).rows.map((row) => Array.from(row)),
});

/** D1's face on the same database, for the tests' own looks. The product has the driver that it has when it is deployed. */
const DB = {
  prepare: (sql: string) => statement({ sql, args: [] }),
  batch: async (all: ReturnType<typeof statement>[]) => {
    const answers = [];
    for (const each of all) answers.push(await each.all());
    return answers;
  },
};

/** Never asked: the tests' services have their own in the place of each. */
const unused = new Proxy({}, { get: (_, name) => () => Promise.reject(new Error(`${String(name)} is asked`)) });
const bindings = { BANK_CHECKS: unused, JOBS: unused, NOTES: unused, READER: unused };

export const env = { ...TEST_ENV, ...bindings, DB, DB_DRIVER: "libsql", LIBSQL_URL: url };
