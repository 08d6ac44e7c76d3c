import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

/**
 * Who writes and who calls whom, read from what the modules export and call, whatever their files are called. The order
 * of the areas: `.dependency-cruiser.cjs`.
 */

/** The functions of `core/commands` that write. A function that calls one is a command. */
const WRITERS = new Set(["runCommand", "runOnce", "runStep", "runStatement"]);

/** Commands that other commands may call, and why: each is complete and has its own batch. */
const MAY_BE_CALLED: Readonly<Record<string, string>> = {
  syncBilling: "what the card provider has is read again and written, whoever asked (0007)",
  recordAnswer: "what a bank answered at once is written in one way, whoever asked (0037)",
  askAccount: "each question to a bank has a batch and an answer of its own, whoever asks (0037)",
  askOne: "each question to a bank has a batch and an answer of its own, whoever asks (0037)",
  withAccess: "a token is renewed before an accounting system is asked (0030)",
  renewRestored: "a token is renewed after a restore: whether it still can be tells whether it is good (0045)",
  readTrailOn: "how what follows the audit trail goes on in it",
  checkInSteps: "the steps of a file's check (0016)",
  lookUpAbn: "what the business register answered is kept, whatever becomes of the invoice",
  lookUpDomainSoon: "what is public about a sender's domain is kept, whatever becomes of the invoice",
  takeInInvoice: "several documents of one post: each has a batch and a result of its own",
  renewProof: "what the DNS says of a domain's proof is kept, whatever becomes of the sign-in (0056)",
  offerFromRegister: "what the business register answered is kept, whatever becomes of the form",
  createProviderUser: "a user at the bank data provider is written down before they are made (0010)",
  deleteProviderUser: "and that they are gone there, whatever becomes of the check (0010)",
  forgetProviderUser: "a user at the bank data provider is deleted whether or not the check goes on (0010)",
  sendPayeeLink: "bulk: each verification has a batch and a result of its own",
  startBankDataCheck: "bulk: each verification has a batch and a result of its own",
  reviewVerification: "bulk: each verification has a batch and a result of its own",
  assignVerification: "bulk: each verification has a batch and a result of its own",
  requireSigned: "an approval that was refused leaves its trace, whatever was to be decided (0013)",
  runSignIn: "the end of every other way in: what was checked is written in one batch, or its refusal in another",
  refuseSignIn: "what was refused counts and leaves its trace, whatever was to be opened",
  signInVouched: "the end of every way through a provider, with what that way writes in its one batch",
  signInNewcomer: "the same, for somebody without an account",
  changeMember: "a directory's call: access ends in a batch of its own, whatever becomes of the name beside it",
  decidePayment: "bulk: each payment has a batch and a result of its own",
};

type Imported = { local: string; name: string; from: string };
type Source = { file: string; functions: Map<string, ReadonlySet<string>>; imports: Imported[] };

const files = readdirSync("app/modules", { recursive: true, encoding: "utf8" })
  .map((name) => path.posix.join("app/modules", name.split(path.sep).join("/")))
  .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
  .sort();

function resolveFrom(file: string, from: string): string {
  const at = from.startsWith("~/") ? `app/${from.slice(2)}` : path.posix.join(path.posix.dirname(file), from);
  return [`${at}.ts`, `${at}.tsx`, `${at}/index.ts`].find((candidate) => existsSync(candidate)) ?? from;
}

/** The functions that a declaration calls, or hands to one that it calls. */
function calledIn(node: ts.Node): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (each: ts.Node) => {
    if (ts.isCallExpression(each)) {
      for (const called of [each.expression, ...each.arguments]) if (ts.isIdentifier(called)) names.add(called.text);
    }
    ts.forEachChild(each, visit);
  };
  ts.forEachChild(node, visit);
  return names;
}

function readSource(file: string, text = readFileSync(file, "utf8")): Source {
  const functions: Source["functions"] = new Map();
  const imports: Imported[] = [];
  for (const node of ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true).statements) {
    if (ts.isFunctionDeclaration(node) && node.name) functions.set(node.name.text, calledIn(node));
    if (ts.isVariableStatement(node)) {
      for (const each of node.declarationList.declarations) functions.set(each.name.getText(), calledIn(each));
    }
    if (!ts.isImportDeclaration(node) || node.importClause?.isTypeOnly) continue;
    const named = node.importClause?.namedBindings;
    if (!named || !ts.isNamedImports(named) || !ts.isStringLiteral(node.moduleSpecifier)) continue;
    const from = resolveFrom(file, node.moduleSpecifier.text);
    for (const each of named.elements) {
      if (!each.isTypeOnly) imports.push({ local: each.name.text, name: (each.propertyName ?? each.name).text, from });
    }
  }
  return { file, functions, imports };
}

/** The functions of a file that write, directly or through another function of the file. */
function commandsOf({ functions, imports }: Source): Set<string> {
  const writers = new Set(
    imports
      .filter(({ name, from }) => WRITERS.has(name) && from.startsWith("app/modules/core/commands/"))
      .map(({ local }) => local),
  );
  const commands = new Set<string>();
  const isOne = ([name, calls]: readonly [string, ReadonlySet<string>]) =>
    !commands.has(name) && [...calls].some((call) => writers.has(call) || commands.has(call));
  for (let found = [...functions].find(isOne); found; found = [...functions].find(isOne)) commands.add(found[0]);
  return commands;
}

const inFile = new Map(files.map((file) => [file, readSource(file)]));
const commands = new Map([...inFile].map(([file, source]) => [file, commandsOf(source)]));

/** The imported commands that a file calls, except those that finish a job, which every consumer calls. */
const calledBy = (source: Source) =>
  source.imports.filter(
    ({ name, from }) => !from.startsWith("app/modules/core/commands/") && commands.get(from)?.has(name),
  );

test("commands are found by what they call", () => {
  const source = readSource(
    "app/modules/payees/one.server.ts",
    'import { runCommand as run } from "~/modules/core/commands/run-command.server";\nconst one = () => run();\nexport function two() {\n  return one();\n}\nexport const three = 3;\n',
  );
  expect([...commandsOf(source)]).toEqual(["one", "two"]);
  expect([...commands.values()].reduce((sum, { size }) => sum + size, 0)).toBeGreaterThan(100);
});

test("commands never call commands: two that do the same share a statement builder", () => {
  const called = [...inFile.values()]
    .filter(({ file }) => !file.startsWith("app/modules/core/commands/"))
    .flatMap((source) => calledBy(source).map(({ name }) => `${source.file}: ${name}`));
  expect(called.filter((each) => !MAY_BE_CALLED[each.split(": ")[1] ?? ""])).toEqual([]);
  expect(Object.keys(MAY_BE_CALLED).filter((name) => !called.some((each) => each.endsWith(`: ${name}`)))).toEqual([]);
});

test("what writes stays on the server", () => {
  const writing = [...commands].filter(([, { size }]) => size > 0).map(([file]) => file);
  expect(writing.filter((file) => !file.endsWith(".server.ts"))).toEqual([]);
});

test("only runCommand commits, and what it asks first: whether the database is in use", () => {
  const read = (file: string) => readFileSync(file, "utf8");
  expect(files.filter((file) => /from "@db\/commit"/.test(read(file)))).toEqual([
    "app/modules/core/commands/run-command.server.ts",
    "app/modules/core/restores/database-state.server.ts",
  ]);
  expect(files.filter((file) => /\bdb\s*\.batch\(/.test(read(file)))).toEqual([]);
});
