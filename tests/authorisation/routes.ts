/// <reference types="vite/types/importMeta.d.ts" />

/** Every door of the app, read from the route files: a method and a path each. */

const sources = import.meta.glob<string>("../../app/routes/*.{ts,tsx}", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** `payees.$id_.edit` is `/payees/:id/edit`: dots are slashes, brackets escape, a trailing underscore only un-nests. */
export function pathOf(file: string): string {
  const segments: string[] = [""];
  let isEscaped = false;
  for (const character of file) {
    if (character === "[" || character === "]") isEscaped = character === "[";
    else if (character === "." && !isEscaped) segments.push("");
    else segments[segments.length - 1] += character;
  }
  const named = segments.filter((segment) => segment !== "_index").map((segment) => segment.replace(/_$/, ""));
  return `/${named.map((segment) => (segment === "$" ? "*" : segment.replace(/^\$/, ":"))).join("/")}`;
}

/** The methods that a route file answers. */
export function methodsOf(source: string): string[] {
  const call = /= (?:\/\* @__PURE__ \*\/ )?api\(\{([\s\S]*)/.exec(source);
  if (call) return [...(call[1] ?? "").matchAll(/^ {2}(GET|POST|PATCH|DELETE)\b/gm)].map(([, method]) => method ?? "");
  const answersGet = /^export (const loader|async function loader|function loader|default )/m.test(source);
  const answersPost = /^export (const action|async function action|function action)/m.test(source);
  return [...(answersGet ? ["GET"] : []), ...(answersPost ? ["POST"] : [])];
}

/** "GET /payees/:id", every one that exists, sorted. A layout shares its index's path and counts once. */
export function listDoors(): string[] {
  const doors = Object.entries(sources).flatMap(([name, source]) => {
    const file = name.slice(name.lastIndexOf("/") + 1).replace(/\.tsx?$/, "");
    return file.endsWith(".test") ? [] : methodsOf(source).map((method) => `${method} ${pathOf(file)}`);
  });
  return [...new Set(doors)].sort();
}
