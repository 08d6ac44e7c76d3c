export type SentBody = {
  json?: unknown;
  form?: Record<string, string> | [string, string][];
  /** Unchanged, for bodies that are neither. */
  text?: string;
};

/** A body as it goes over the wire, its type noted among the headers; undefined for none. */
export function bodyOf({ json, form, text }: SentBody, headers: Headers): string | undefined {
  if (json !== undefined) {
    headers.set("Content-Type", "application/json");
    return JSON.stringify(json);
  }
  if (!form) return text;
  headers.set("Content-Type", "application/x-www-form-urlencoded");
  return new URLSearchParams(form).toString();
}
