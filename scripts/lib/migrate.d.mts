import type { Client } from "@libsql/client";

type Prepared = {
  bind(...values: unknown[]): Prepared;
  run(): Promise<unknown>;
  all(): Promise<{ results: unknown[] }>;
};
type Migrated = { prepare(sql: string): Prepared; batch(statements: Prepared[]): Promise<unknown> };

export function applyMigrations(db: Migrated): Promise<string[]>;
export function asMigrated(client: Client): Migrated;
