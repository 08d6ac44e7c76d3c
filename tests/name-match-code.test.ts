import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";

const FOLDER = path.resolve("app/modules/name-match");
const MAX_LINES = 60;
const MAX_PARAMETERS = 4;

const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter(
  (file) => file.endsWith(".ts") && !file.endsWith(".test.ts"),
);

/** What the code of a file does against its rules, each with its line. */
function faultsOf(text: string): string[] {
  const source = ts.createSourceFile("file.ts", text, ts.ScriptTarget.Latest, true);
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
  const faults: string[] = [];
  const visit = (node: ts.Node) => {
    const line = lineOf(node.getStart());
    if (ts.isNonNullExpression(node)) faults.push(`${line}: a non-null assertion`);
    if (ts.isFunctionLike(node)) {
      if (lineOf(node.end) - line >= MAX_LINES) faults.push(`${line}: a function of more than ${MAX_LINES} lines`);
      if (node.parameters.length > MAX_PARAMETERS) faults.push(`${line}: more than ${MAX_PARAMETERS} parameters`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement) || (statement.declarationList.flags & ts.NodeFlags.Const) !== 0) continue;
    faults.push(`${lineOf(statement.getStart())}: a variable of the module`);
  }
  return faults;
}

test.each(files)("%s has short functions, few parameters, no assertion and no variable", (file) => {
  expect(faultsOf(readFileSync(path.join(FOLDER, file), "utf8"))).toEqual([]);
});

describe("the check sees", () => {
  test.each([
    ["let count = 0;", "1: a variable of the module"],
    ["const first = (list: string[]) => list[0]!;", "1: a non-null assertion"],
    ["function all(a: 1, b: 1, c: 1, d: 1, e: 1) {}", "1: more than 4 parameters"],
    [`function long() {${"\n".repeat(60)}}`, "1: a function of more than 60 lines"],
  ])("%j", (text, fault) => {
    expect(faultsOf(text)).toEqual([fault]);
  });
});
