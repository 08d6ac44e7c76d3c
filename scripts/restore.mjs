// Fills an empty database from a backup. The app then starts on hold, until an operator has read /admin/restores.
//
//   BACKUP_KEY=... npm run restore -- FILE                      the app on this machine, stopped, with an empty STATE_DIR
//   BACKUP_KEY=... npm run restore -- FILE --env staging        the D1 database of an environment of wrangler.toml
//   BACKUP_KEY=... npm run restore -- FILE --libsql URL         a libSQL database
//   BACKUP_KEY=... npm run restore -- FILE --check              only reads the file to its end
import { parseArgs } from "node:util";
import { uuidv7 } from "uuidv7";
import { holdStatements } from "../db/seed/hold-after-restore.mjs";
import { openTarget } from "./lib/backup/databases.mjs";
import { restoreStatements } from "./lib/backup/rows.mjs";
import { readBackupKey, readSealed } from "./lib/backup/sealed-file.mjs";
import { main, say } from "./lib/console.mjs";

const options = { env: { type: "string" }, libsql: { type: "string" }, check: { type: "boolean" } };

/** Tables that putting the app on hold changes: sessions end, and the restore is recorded. */
const expectedCount = (name, count) => (name === "sessions" ? 0 : name === "restores" ? count + 1 : count);

/** Reads the whole file before anything is written, so that a damaged file changes nothing. */
async function checkFile(file, key) {
  let found;
  const statements = restoreStatements(readSealed(file, key), {
    onEnd: (end) => {
      found = end;
    },
  });
  for await (const _ of statements);
  if (!("database_state" in found.counts)) throw new Error("the backup was made before the first release");
  return found;
}

await main(async () => {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [file] = positionals;
  if (!file || positionals.length > 1 || (values.env && values.libsql))
    throw new Error("Usage: npm run restore -- FILE [--env ENV | --libsql URL] [--check]");
  const key = readBackupKey(process.env.BACKUP_KEY);
  const startedAt = Date.now();
  const { takenAt, counts } = await checkFile(file, key);
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  say("restore", `${file} is complete: ${rows} rows as of ${new Date(takenAt).toISOString()}`);
  if (values.check) return;
  const target = await openTarget(values);
  try {
    if (!(await target.isEmpty()))
      throw new Error(`${target.name} is not empty: a backup is loaded into an empty database only`);
    const tail = holdStatements({ id: uuidv7(), now: startedAt, takenAt });
    await target.run(restoreStatements(readSealed(file, key), { tail }));
    const there = await target.count(Object.keys(counts));
    const wrong = Object.entries(counts).filter(([name, count]) => there[name] !== expectedCount(name, count));
    if (wrong.length > 0)
      throw new Error(
        wrong
          .map(([name, count]) => `${name}: ${there[name]} rows instead of ${expectedCount(name, count)}`)
          .join("\n"),
      );
  } finally {
    target.close();
  }
  say(
    "restore",
    `${target.name}: every table has its rows, ${Date.now() - startedAt} ms. The app is on hold: /admin/restores`,
  );
});
