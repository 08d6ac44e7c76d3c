import { desc } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Db } from "./client";
import { isMissingTableError } from "./errors";
import journal from "./migrations/meta/_journal.json";

/** Where `wrangler d1 migrations` notes what it applied. */
const d1Migrations = sqliteTable("d1_migrations", { id: integer().primaryKey(), name: text().notNull() });

/** Where Drizzle's migrator notes it for libSQL: by the time at which the migration was generated. */
const libsqlMigrations = sqliteTable("__drizzle_migrations", { createdAt: integer("created_at").notNull() });

/** The newest migration that this build was made for, e.g. "0004_organizations_admin". */
const NEEDED = journal.entries.at(-1)?.tag ?? "";

export type MigrationState = {
  /** The newest migration that the database has; undefined before the first. */
  applied: string | undefined;
  /** Whether the database has every migration that this build needs. A database that is ahead has them too. */
  isReady: boolean;
};

/** Which migration the database is at. */
export async function readMigrationState(db: Db): Promise<MigrationState> {
  const applied = (await findD1Migration(db)) ?? (await findLibsqlMigration(db));
  return { applied, isReady: applied !== undefined && applied >= NEEDED };
}

async function findD1Migration(db: Db): Promise<string | undefined> {
  const newest = db.select({ name: d1Migrations.name }).from(d1Migrations).orderBy(desc(d1Migrations.name)).limit(1);
  const [row] = await newest.catch(noneWithoutTable);
  return row?.name.replace(/\.sql$/, "");
}

async function findLibsqlMigration(db: Db): Promise<string | undefined> {
  const { createdAt } = libsqlMigrations;
  const [row] = await db
    .select({ createdAt })
    .from(libsqlMigrations)
    .orderBy(desc(createdAt))
    .limit(1)
    .catch(noneWithoutTable);
  return row && journal.entries.find(({ when }) => when === row.createdAt)?.tag;
}

function noneWithoutTable(error: unknown): never[] {
  if (isMissingTableError(error)) return [];
  throw error;
}
