/**
 * The path of a route file named from `app/routes`, e.g. `_app+/payees.$id_.edit.tsx` is /payees/:id/edit.
 * Source: remix-flat-routes, hybrid folders: dots and `+/` are slashes, `[x]` is literal, a segment that starts with an
 * underscore has no path, and a trailing underscore only un-nests.
 */
export function pathOf(file: string): string {
  const segments: string[] = [""];
  let isEscaped = false;
  for (const character of file.replace(/\.tsx?$/, "").replaceAll("+/", ".")) {
    if (character === "[" || character === "]") isEscaped = character === "[";
    else if (character === "." && !isEscaped) segments.push("");
    else segments[segments.length - 1] += character;
  }
  const named = segments.filter((segment) => !segment.startsWith("_")).map((segment) => segment.replace(/_$/, ""));
  return `/${named.map((segment) => (segment === "$" ? "*" : segment.replace(/^\$/, ":"))).join("/")}`;
}
