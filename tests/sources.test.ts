// biome-ignore-all lint/suspicious/noTemplateCurlyInString: lines of source, as text
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { appPaths } from "~/kernel/paths/app";
import { linkPaths } from "~/kernel/paths/links";
import { sitePaths } from "~/kernel/paths/site";
import { listRoutePaths } from "./support/every-route";

/** Rules for all source files. */

const FOLDERS = ["app", "db", "workers", "simulators", "scripts", "bench", "tests"];

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => path.join(folder, name)),
).filter((file) => /\.tsx?$/.test(file) && !file.includes("node_modules"));

/** Terms that may differ by one letter; no other names may. */
const WORDS_OF_THE_TRADE = new Set(["abn", "acn"]);

/** What a file is about: its name up to the first dot. A route's name is its address, so all of it counts. */
const subjectOf = (file: string) =>
  file.startsWith("app/routes/") ? path.basename(file) : (path.basename(file).split(".")[0] ?? "");

/** True if one letter was added, removed or replaced. */
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

const routes = listRoutePaths().filter((route) => !route.includes(":splat"));
const FIRST_WORDS = [...new Set(routes.map((route) => route.split("/")[1]))].filter(Boolean).join("|");

/** Files that may contain literal paths, and why. */
const MAY_WRITE_PATHS = [
  /\.test\.tsx?$/,
  /^app\/kernel\/paths\//,
  // Other companies' addresses.
  /^app\/adapters\//,
  // A call of the API states its own address, once.
  /^app\/api\//,
];

const HANDWRITTEN = [
  // "/payees", `${origin}/payees/1`, and the same as a regular expression.
  new RegExp(`["'\`}]/(?:${FIRST_WORDS})(?![\\w-])[^"'\`\\s]*`, "g"),
  new RegExp(`\\^\\\\/\\(?(?:${FIRST_WORDS})(?![\\w-])`, "g"),
  // `${appPaths.payees}/1`: a path with a name of its own.
  /\$\{\w*[pP]aths\.[^}]*\}\/[^"'`\s]*/g,
  // The home page.
  /\b(?:to|href|action)=\{?"\/"|\b(?:to|href): "\/"|redirect\("\/"/g,
];

function findHandwrittenPaths(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "");
  return HANDWRITTEN.flatMap((pattern) => [...code.matchAll(pattern)].map(([found]) => found));
}

test("paths of the app are written in app/kernel/paths alone", () => {
  const files = sources.filter((file) => /^(app|workers)\//.test(file));
  const others = files.filter((file) => !MAY_WRITE_PATHS.some((allowed) => allowed.test(file)));
  const found = others.flatMap((file) =>
    findHandwrittenPaths(readFileSync(file, "utf8")).map((one) => `${file}: ${one}`),
  );
  expect(found).toEqual([]);
});

test.each([
  'const to = "/payees";',
  "const to = `/payees/${id}/edit`;",
  '<Link to="/privacy#overseas">',
  "const href = `${config.appOrigin}/settings/members`;",
  "const href = `${appPaths.payees}/${id}`;",
  'throw redirect("/auth?next=x");',
  'throw redirect("/");',
  "const own = /^\\/(auth|verify)/;",
])("a path written by hand is found: %s", (line) => {
  expect(findHandwrittenPaths(line)).toHaveLength(1);
});

test.each([
  'import { appPaths } from "~/kernel/paths/app";',
  'import { payeeSchema } from "./payees/schema";',
  "/** The page of a payee: `/payees/1`. */",
  "const to = withQuery(appPaths.payees, { q });",
  "const href = `${sitePaths.contact}#top`;",
  'const file = "/payees-of-the-year.png";',
])("what is no path of the app is not: %s", (line) => {
  expect(findHandwrittenPaths(line)).toEqual([]);
});

test("every path leads to a route, or to a file that is served as it is", () => {
  const patterns = routes.map((route) => new RegExp(`^${route.replace(/[.]/g, "\\.").replace(/:\w+/g, "[^/]+")}$`));
  const written = Object.entries({ ...appPaths, ...linkPaths, ...sitePaths }).map(([name, path]) => {
    const whole = typeof path === "string" ? path : (path as (value: string) => string)("x");
    return { name, path: whole.replace(/\?.*/, "") };
  });
  const leads = (to: string) => patterns.some((pattern) => pattern.test(to)) || existsSync(path.join("public", to));
  expect(written.filter((each) => !leads(each.path))).toEqual([]);
});

const pages = sources
  .filter((file) => file.startsWith("app/routes/") && file.endsWith(".tsx"))
  .map((file) => ({ file, source: readFileSync(file, "utf8") }))
  .filter(({ source }) => /export const action = \/\*/.test(source));

/** Browsers without scripts are led here with a form that another page did not take: it is shown again, and answered there. */
const KEPT_FORM = "app/routes/_sign-in+/auth_.kept-form.tsx";

test("every form of a page is answered in the one way", () => {
  expect(pages.length).toBeGreaterThan(40);
  expect(pages.filter(({ source }) => !source.includes("formAction(")).map(({ file }) => file)).toEqual([KEPT_FORM]);
});

/** Log out has a form of its own on many pages, and tells of a lost connection there. */
const TELLS_ELSEWHERE = [KEPT_FORM, "app/routes/_sign-in+/logout.tsx"];

test("every form of a page that runs scripts says when the connection was lost, and keeps what was typed", () => {
  const silent = pages
    .filter(
      ({ source }) =>
        !/scripts: false|publicPage/.test(source) && !/export (const|async function) clientAction/.test(source),
    )
    .map(({ file }) => file);
  expect(silent).toEqual(TELLS_ELSEWHERE);
});

test("no class declares a field: the transform of the development build does not read it", () => {
  const inApp = sources.filter((file) => file.startsWith("app/"));
  const field = /^\s+declare (?!module|global|const|function)/m;
  expect(inApp.filter((file) => field.test(readFileSync(file, "utf8")))).toEqual([]);
  expect(field.test("class A {\n  declare readonly score: number;\n}")).toBe(true);
});

/** Forms of which nothing is kept, because they hold no field of ours, or only what was kept: the card provider's, Log out, and a dialog's Close. */
const OWN_FORMS = [
  "app/components/accounts/billing/subscription-page.tsx",
  "app/components/layout/logout-form.tsx",
  "app/components/ui/dialog.tsx",
  "app/components/ui/key-sheet.tsx",
  KEPT_FORM,
];

test("every form is the one form that is new for each subject, and every page is drawn by the one outlet", () => {
  const drawn = sources.filter((file) => /^app\/(components|routes|root)/.test(file) && file.endsWith(".tsx"));
  const uses = (pattern: RegExp) => drawn.filter((file) => pattern.test(readFileSync(file, "utf8")));
  expect(uses(/import \{[^}]*\bForm\b[^}]*\} from "@remix-run\/react"/)).toEqual(["app/components/forms/form.tsx"]);
  expect(uses(/<form\b|fetcher\.Form/).sort()).toEqual(OWN_FORMS);
  expect(uses(/<Outlet\b/)).toEqual(["app/root.tsx", "app/components/layout/page-outlet.tsx"]);
});

test("only the page of a decision leaves by itself", () => {
  const timed = sources.filter((file) => file.startsWith("app/components/") || file.startsWith("app/routes/"));
  const leaves = timed.filter((file) =>
    /set(Timeout|Interval)\(\(\) => (navigate|location|window)/.test(readFileSync(file, "utf8")),
  );
  expect(leaves).toEqual(["app/routes/_app+/verifications.$id.tsx"]);
});

test("a page never says 1 rows or 1 payments: a number before a plural has its singular beside it", () => {
  const plural = /toLocaleString\("en-AU"\)\}(?:<\/span>)? (?:payments|rows|lines|accounts|payees|bills)\b/;
  const says = (line: string) => plural.test(line) && !/=== 1|\} of \{/.test(line);
  const pages = sources.filter((file) => /^app\/(?:components|routes)\//.test(file));
  expect(pages.filter((file) => readFileSync(file, "utf8").split("\n").some(says))).toEqual([]);
  expect(says('{file.rowCount.toLocaleString("en-AU")} rows. Uploaded')).toBe(true);
});

test("whoever writes a new person writes that single keys are on", () => {
  const writers = sources.filter(
    (file) => /^app\//.test(file) && !/\.test\./.test(file) && readFileSync(file, "utf8").includes("insert(users)"),
  );
  expect(writers.length).toBeGreaterThan(2);
  expect(writers.filter((file) => !readFileSync(file, "utf8").includes("reviewKeys: true"))).toEqual([]);
});
