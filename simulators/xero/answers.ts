import type { SimulatedCall } from "../party";

const DEFAULT_PAGE_SIZE = 100;
const MAX_PAGE_SIZE = 1_000;

export const xeroError = (status: number, title: string, detail: string, headers: HeadersInit = {}) =>
  Response.json({ Type: null, Title: title, Status: status, Detail: detail }, { status, headers });

/** A refusal, or the organisation there that a call is about. One of the scopes is enough. */
export type TenantGate = (call: SimulatedCall, scopes: readonly string[]) => string | Response;

/** A page of a list, and where it stands among the others. */
export function pageOf<Item>(found: readonly Item[], query: URLSearchParams) {
  const page = Math.max(1, Number(query.get("page") ?? 1));
  const pageSize = Math.min(Number(query.get("pageSize") ?? DEFAULT_PAGE_SIZE), MAX_PAGE_SIZE);
  const start = (page - 1) * pageSize;
  const pagination = { page, pageSize, pageCount: Math.ceil(found.length / pageSize), itemCount: found.length };
  return { items: found.slice(start, start + pageSize), pagination };
}
