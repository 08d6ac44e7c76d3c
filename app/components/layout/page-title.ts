import type { LoaderFunction } from "@remix-run/cloudflare";
import type { MetaDescriptor, MetaFunction } from "@remix-run/react";
import { useEffect } from "react";

/** Comes first on the tab and for screen readers, when the submitted form was refused. */
export const ERROR_PREFIX = "Error: ";

/** The arguments of a page's `meta`. */
export type TitledPage = {
  matches: readonly ({ id: string; data?: unknown } | undefined)[];
  location: { key: string };
};

/** In a browser: the history entry that opened with an error page. */
let arrivedAt: string | undefined;

/** With scripts, the root's data outlives its document, but pages opened later are not refusals. */
function isOfThisDocument({ key }: TitledPage["location"]): boolean {
  if (typeof document === "undefined") return true;
  arrivedAt ??= key;
  return key === arrivedAt;
}

/** True if this document answers a post that was refused. */
export function answersRefusal({ matches, location }: TitledPage): boolean {
  const root = matches.find((match) => match?.id === "root")?.data;
  const isRefusal = typeof root === "object" && root !== null && "hasErrors" in root && root.hasErrors === true;
  return isRefusal && isOfThisDocument(location);
}

/** The title in a page's `meta`: "Payees · PayeeProof", or "Error: Payees · PayeeProof" after a refused post. */
export function pageTitle(page: TitledPage, title: string): { title: string } {
  return { title: `${answersRefusal(page) ? ERROR_PREFIX : ""}${title} · PayeeProof` };
}

type Loaded<Loader> = Parameters<MetaFunction<Loader>>[0]["data"];

/**
 * The `meta` of a page that is not for search engines: normally only its title.
 *
 * @param title for the tab, or a function of the loaded data (undefined when the page has an error)
 * @param more further elements of the page's head
 */
export const titled =
  <Loader extends LoaderFunction | unknown = unknown>(
    title: string | ((loaded: Loaded<Loader>) => string),
    more?: (loaded: Loaded<Loader>) => MetaDescriptor[],
  ): MetaFunction<Loader> =>
  ({ data, ...route }) => [pageTitle(route, typeof title === "string" ? title : title(data)), ...(more?.(data) ?? [])];

/** Adds "Error: " to the page's title while an error is shown. If the page arrived with one, the server has done so. */
export function useErrorTitle(isShown: boolean): void {
  // After every render, because rendering may have set the title again.
  useEffect(() => {
    if (!isShown) return;
    if (!document.title.startsWith(ERROR_PREFIX)) document.title = ERROR_PREFIX + document.title;
    return () => {
      if (document.title.startsWith(ERROR_PREFIX)) document.title = document.title.slice(ERROR_PREFIX.length);
    };
  });
}
