/**
 * A path with a query; what is empty or not given is left out.
 * @example withQuery("/payees", { q: "acme", after: undefined }) // "/payees?q=acme"
 */
export function withQuery(path: string, query: Readonly<Record<string, string | null | undefined>>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}
