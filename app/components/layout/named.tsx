import type { LoaderFunction } from "@remix-run/cloudflare";
import { LoadError } from "./load-error";
import { titled } from "./page-title";

/**
 * A page's title, and what stands above its problem when it could not be loaded.
 *
 * @example export const { meta, ErrorBoundary } = named("Payees", "Error Loading Payees");
 */
export function named<Loader extends LoaderFunction | unknown = unknown>(
  title: Parameters<typeof titled<Loader>>[0],
  problem: string,
  more?: Parameters<typeof titled<Loader>>[1],
) {
  return { meta: titled<Loader>(title, more), ErrorBoundary: () => <LoadError title={problem} /> };
}
