import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

/** What is promised about the sources as a whole, read from the files themselves. */

const FOLDERS = ["app", "db", "workers", "simulators", "scripts", "bench", "tests"];

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => path.join(folder, name)),
).filter((file) => /\.tsx?$/.test(file) && !file.includes("node_modules"));

/** Words of the trade that differ by one letter: nothing else may. */
const WORDS_OF_THE_TRADE = new Set(["abn", "acn"]);

/** What a file is about: its name up to the first dot. A route's name is its address, so all of it counts. */
const subjectOf = (file: string) =>
  file.startsWith("app/routes/") ? path.basename(file) : (path.basename(file).split(".")[0] ?? "");

/** True where one letter was added, left out or exchanged. */
function differByOneLetter(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  const from = [...short].findIndex((letter, index) => letter !== long[index]);
  const at = from === -1 ? short.length : from;
  const rest = long.slice(at + 1);
  return short !== long && (rest === short.slice(at) || rest === short.slice(at + 1));
}

function listPairs(files: readonly string[]): string[] {
  return [...new Set(files.map((file) => path.dirname(file)))].flatMap((folder) => {
    const subjects = new Set(files.filter((file) => path.dirname(file) === folder).map(subjectOf));
    const names = [...subjects].filter((name) => !WORDS_OF_THE_TRADE.has(name)).sort();
    return names.flatMap((name, index) =>
      names
        .slice(index + 1)
        .filter((other) => differByOneLetter(name, other))
        .map((other) => `${folder}: ${name}, ${other}`),
    );
  });
}

test("no two files of a folder have names one letter apart", () => {
  expect(listPairs(sources)).toEqual([]);
});

test("a pair one letter apart would be found", () => {
  expect(listPairs(["a/payee.ts", "a/payees.queries.server.ts", "b/payee.ts"])).toEqual(["a: payee, payees"]);
  expect(listPairs(["a/send-link.ts", "a/sent-link.ts"])).toEqual(["a: send-link, sent-link"]);
  expect(listPairs(["a/payee.ts", "a/payee-list.ts", "a/payee.view.ts"])).toEqual([]);
});
