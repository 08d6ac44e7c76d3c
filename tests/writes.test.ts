import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

/** Code that writes without `runCommand`, `runStep` or `runStatement`, and why it may. */
const BY_THEMSELVES: Readonly<Record<string, string>> = {
  "app/http/session.server.ts": "a session is opened or used; nothing else depends on it",
  "app/modules/core/commands/outbox.server.ts": "the rows it answers are the jobs that were claimed",
  "app/modules/core/housekeeping.server.ts": "the rows it answers are what was removed; a repetition removes the rest",
  "app/modules/core/operations/figures.server.ts": "it only reads: D1 says how large it is with each answer",
  "app/modules/records/organization-export/remove-organization.server.ts":
    "the rows it answers are what was removed; a repetition removes the rest",
  "app/modules/payees/whitelist/promotion.server.ts": "the rows it answers are the payees that are looked at now",
  "db/commit.ts": "the one batch",
  "db/lease.ts": "a lease is taken and given back; its own condition decides",
  "db/rate-counter.ts": "a counter of a limit, outside every batch so that a refused request counts too",
  "db/walk.ts": "where a walk stopped; a lost one starts again",
};

const CALLS = new Set(["insert", "update", "delete", "run", "batch"]);

/** The first call of a chain on the database, e.g. "insert" in `db.insert(x).values(y)`. */
function writeOf(chain: ts.Expression): string | undefined {
  if (ts.isPropertyAccessExpression(chain)) return writeOf(chain.expression);
  if (!ts.isCallExpression(chain) || !ts.isPropertyAccessExpression(chain.expression)) return undefined;
  const { name, expression: of } = chain.expression;
  return CALLS.has(name.text) && /\bdb$/.test(of.getText()) ? name.text : writeOf(of);
}

function writesIn(file: string, text: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    const write = ts.isAwaitExpression(node) ? writeOf(node.expression) : undefined;
    if (write) found.push(write);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return found;
}

const sources = [
  "workers/queues.ts",
  ...["app", "db"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
      .map((name) => path.posix.join(folder, name.split(path.sep).join("/"))),
  ),
];

test("a write is found however it is spelt", () => {
  const of = (text: string) => writesIn("x.ts", text);
  expect(of("await services.db.insert(a).values(b).onConflictDoNothing();")).toEqual(["insert"]);
  expect(of("const [x] = await db\n  .update(a)\n  .set(b)\n  .returning();")).toEqual(["update"]);
  expect(of("await db.select().from(a); const one = db.delete(a);")).toEqual([]);
});

test("everything that writes goes through the one write path, but for what is listed with its reason", () => {
  const writing = sources.filter((file) => writesIn(file, readFileSync(file, "utf8")).length > 0);
  expect(writing.sort()).toEqual(Object.keys(BY_THEMSELVES).sort());
});
