/** A value in the provider's form encoding: text, or a map of bracketed keys. */
type Value = string | Params;
export type Params = { [name: string]: Value };

/** Reads `items[0][price]=p&metadata[a]=b`: brackets nest, an empty pair counts on from the last. */
export function parseForm(body: string): Params {
  const params: Params = {};
  for (const [name, value] of new URLSearchParams(body)) put(params, keysOf(name), value);
  return params;
}

function keysOf(name: string): string[] {
  const [first = "", ...rest] = name.split("[");
  return [first, ...rest.map((part) => part.replace(/\]$/, ""))];
}

function put(params: Params, [key = "", ...rest]: string[], value: string): void {
  const at = key === "" ? String(Object.keys(params).length) : key;
  if (rest.length === 0) {
    params[at] = value;
    return;
  }
  const inner = Object.hasOwn(params, at) ? params[at] : undefined;
  const next: Params = typeof inner === "object" ? inner : {};
  params[at] = next;
  put(next, rest, value);
}

/** What is at a path; text only. An empty text is the provider's way to unset. */
export function textAt(params: Params, ...path: string[]): string | undefined {
  let value: Value | undefined = params;
  for (const key of path) value = typeof value === "object" && Object.hasOwn(value, key) ? value[key] : undefined;
  return typeof value === "string" ? value : undefined;
}

/** The texts of a list, `expand[0]=a&expand[1]=b`. */
export function listAt(params: Params, ...path: string[]): string[] {
  let value: Value | undefined = params;
  for (const key of path) value = typeof value === "object" ? value[key] : undefined;
  return typeof value === "object" ? Object.values(value).filter((item) => typeof item === "string") : [];
}

/** The texts of a map, such as metadata. */
export function mapAt(params: Params, ...path: string[]): Record<string, string> {
  let value: Value | undefined = params;
  for (const key of path) value = typeof value === "object" ? value[key] : undefined;
  if (typeof value !== "object") return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (typeof item === "string" ? [[key, item]] : [])),
  );
}

export function flagAt(params: Params, name: string): boolean | undefined {
  const text = textAt(params, name);
  return text === undefined ? undefined : text === "true";
}
