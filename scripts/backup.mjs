// Writes the whole database to one encrypted file, without keys and secrets.
//
//   BACKUP_KEY=... npm run backup                        the app on this machine
//   BACKUP_KEY=... npm run backup -- --env staging       the D1 database of an environment of wrangler.toml
//   BACKUP_KEY=... npm run backup -- --libsql URL        a libSQL database; LIBSQL_AUTH_TOKEN of the shell signs in
//   ... --out FILE                                       where it goes; otherwise ./payeeproof-TIME.backup
import { statSync } from "node:fs";
import { parseArgs } from "node:util";
import { readDatabase } from "./lib/backup/databases.mjs";
import { backupLines } from "./lib/backup/rows.mjs";
import { readBackupKey, writeSealed } from "./lib/backup/sealed-file.mjs";
import { main, say } from "./lib/console.mjs";

const options = { env: { type: "string" }, libsql: { type: "string" }, out: { type: "string" } };

/** The lines of the backup, and the counts in its last line. @throws Error for a database without migrations */
async function* counted(lines, note) {
  for await (const line of lines) {
    if (line.end && !("database_state" in line.counts))
      throw new Error("this is no database of this version: apply the migrations");
    if (line.end) note(line.counts);
    yield line;
  }
}

await main(async () => {
  const { values } = parseArgs({ options });
  if (values.env && values.libsql) throw new Error("name --env or --libsql, not both");
  const key = readBackupKey(process.env.BACKUP_KEY);
  const startedAt = Date.now();
  const file = values.out ?? `payeeproof-${new Date(startedAt).toISOString().replaceAll(":", "")}.backup`;
  let counts = {};
  await readDatabase(values, (ask, source) => {
    const lines = backupLines(ask, { takenAt: startedAt, source });
    return writeSealed(
      file,
      counted(lines, (found) => {
        counts = found;
      }),
      key,
    );
  });
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  say(
    "backup",
    `${file}: ${rows} rows of ${Object.keys(counts).length} tables, ${statSync(file).size} bytes, ${Date.now() - startedAt} ms`,
  );
});
