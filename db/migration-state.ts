import { desc, eq } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { type Db, schemaSupport } from "./database";
import { isOlderSchemaError } from "./errors";
import journal from "./migrations/meta/_journal.json";

/** The table in which `wrangler d1 migrations` records what it applied. */
const d1Migrations = sqliteTable("d1_migrations", { id: integer().primaryKey(), name: text().notNull() });

/** The table of Drizzle's migrator for libSQL, which records when each migration was generated. */
const libsqlMigrations = sqliteTable("__drizzle_migrations", { createdAt: integer("created_at").notNull() });

/** The newest migration that this build requires, e.g. "0004_organizations_admin". */
const NEEDED = journal.entries.at(-1)?.tag ?? "";

export type MigrationState = {
  /** The newest migration that the database has; undefined before the first. */
  applied: string | undefined;
  /** Whether the database has every migration that this build needs. */
  isReady: boolean;
  /** The database is newer, and lacks something that this build uses. */
  isBuildTooOld: boolean;
};

/** Which migration the database is at, and whether a build that knows the migrations up to `needed` can use it. */
export async function readMigrationState(db: Db, needed = NEEDED): Promise<MigrationState> {
  const [[support], applied] = await Promise.all([
    db
      .select({ oldest: schemaSupport.oldestMigration })
      .from(schemaSupport)
      .where(eq(schemaSupport.id, 1))
      .catch(noneWithoutTable),
    findD1Migration(db).then((found) => found ?? findLibsqlMigration(db)),
  ]);
  const isBuildTooOld = support !== undefined && support.oldest > needed;
  return { applied, isBuildTooOld, isReady: applied !== undefined && applied >= needed && !isBuildTooOld };
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
  if (isOlderSchemaError(error)) return [];
  throw error;
}
