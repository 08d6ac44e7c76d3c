import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";

const FOLDER = path.resolve("app/modules/name-match");

const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter(
  (file) => file.endsWith(".ts") && !file.endsWith(".test.ts"),
);

const BUILT_IN = new Set(["Set", "Map", "Uint8Array", "Uint16Array", "Int32Array"]);
const CHANGES = new Set([
  "push",
  "pop",
  "shift",
  "unshift",
  "splice",
  "sort",
  "reverse",
  "fill",
  "set",
  "add",
  "delete",
  "clear",
]);

const isConst = (statement: ts.VariableStatement) => (statement.declarationList.flags & ts.NodeFlags.Const) !== 0;

const isAssignment = (kind: ts.SyntaxKind) =>
  kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;

/** Objects of the module that can change, and the places that change one. */
function changingObjects(source: ts.SourceFile): [node: ts.Node, fault: string][] {
  const declared = source.statements
    .filter(ts.isVariableStatement)
    .filter(isConst)
    .flatMap(({ declarationList }) => [...declarationList.declarations]);
  const names = new Set(declared.map(({ name }) => name.getText()));
  const made = declared.filter(
    ({ initializer }) =>
      initializer !== undefined && ts.isNewExpression(initializer) && !BUILT_IN.has(initializer.expression.getText()),
  );
  const changed: ts.Node[] = [];
  const isOfModule = (node: ts.Expression) => ts.isIdentifier(node) && names.has(node.text);
  const visit = (node: ts.Node) => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { expression, name } = node.expression;
      if (isOfModule(expression) && CHANGES.has(name.text)) changed.push(node);
    }
    const assigns = ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind);
    if (assigns && (ts.isElementAccessExpression(node.left) || ts.isPropertyAccessExpression(node.left))) {
      if (isOfModule(node.left.expression)) changed.push(node);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [
    ...made.map((node): [ts.Node, string] => [node, "an object of the module that can change"]),
    ...changed.map((node): [ts.Node, string] => [node, "an object of the module is changed"]),
  ];
}

/** What the code of a file does against its rules, each with its line. */
function faultsOf(text: string): string[] {
  const source = ts.createSourceFile("file.ts", text, ts.ScriptTarget.Latest, true);
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
  const faults: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isNonNullExpression(node)) faults.push(`${lineOf(node.getStart())}: a non-null assertion`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement) || isConst(statement)) continue;
    faults.push(`${lineOf(statement.getStart())}: a variable of the module`);
  }
  for (const [node, fault] of changingObjects(source)) faults.push(`${lineOf(node.getStart())}: ${fault}`);
  return faults;
}

test.each(files)("%s has no non-null assertion and nothing of the module that changes", (file) => {
  expect(faultsOf(readFileSync(path.join(FOLDER, file), "utf8"))).toEqual([]);
});

describe("the check sees", () => {
  test.each([
    ["let count = 0;", "1: a variable of the module"],
    ["const first = (list: string[]) => list[0]!;", "1: a non-null assertion"],
    ["const reader = new Reader();", "1: an object of the module that can change"],
    ["const known = new Map();\nfunction keep() { known.set(1, 2); }", "2: an object of the module is changed"],
    ["const counts: number[] = [];\nfunction count() { counts[0] = 1; }", "2: an object of the module is changed"],
  ])("%j", (text, fault) => {
    expect(faultsOf(text)).toEqual([fault]);
  });
});
