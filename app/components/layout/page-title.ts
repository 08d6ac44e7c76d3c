import type { LoaderFunction } from "@remix-run/cloudflare";
import type { MetaDescriptor, MetaFunction } from "@remix-run/react";
import { useEffect } from "react";

/** Said first by a screen reader, shown first on the tab: the page says what was wrong with the form that was sent. */
export const ERROR_PREFIX = "Error: ";

/** What every page's `meta` is given. */
export type TitledPage = {
  matches: readonly ({ id: string; data?: unknown } | undefined)[];
  location: { key: string };
};

/** In a browser: the history entry of the document that came with a refusal. */
let arrivedAt: string | undefined;

/** The root's data outlive the document they came with where scripts run; pages opened since then refused nothing. */
function isOfThisDocument({ key }: TitledPage["location"]): boolean {
  if (typeof document === "undefined") return true;
  arrivedAt ??= key;
  return key === arrivedAt;
}

/** Whether this document answers a post that was refused. */
export function answersRefusal({ matches, location }: TitledPage): boolean {
  const root = matches.find((match) => match?.id === "root")?.data;
  const isRefusal = typeof root === "object" && root !== null && "hasErrors" in root && root.hasErrors === true;
  return isRefusal && isOfThisDocument(location);
}

/** The title for a page's `meta`: "Payees · PayeeProof", and in answer to a refused post "Error: Payees · PayeeProof". */
export function pageTitle(page: TitledPage, title: string): { title: string } {
  return { title: `${answersRefusal(page) ? ERROR_PREFIX : ""}${title} · PayeeProof` };
}

type Loaded<Loader> = Parameters<MetaFunction<Loader>>[0]["data"];

/**
 * The `meta` of a page that is not for search engines: its title alone, as a rule.
 *
 * @param title what the tab says, or how it follows from what was loaded (nothing, where the page has a problem)
 * @param more what else the head of the page says
 */
export const titled =
  <Loader extends LoaderFunction | unknown = unknown>(
    title: string | ((loaded: Loaded<Loader>) => string),
    more?: (loaded: Loaded<Loader>) => MetaDescriptor[],
  ): MetaFunction<Loader> =>
  ({ data, ...route }) => [pageTitle(route, typeof title === "string" ? title : title(data)), ...(more?.(data) ?? [])];

/** Puts "Error: " before the page's title while a problem is shown. The server did it where the page arrived with one. */
export function useErrorTitle(isShown: boolean): void {
  // After every drawing: whatever is drawn anew may have set the title anew.
  useEffect(() => {
    if (!isShown) return;
    if (!document.title.startsWith(ERROR_PREFIX)) document.title = ERROR_PREFIX + document.title;
    return () => {
      if (document.title.startsWith(ERROR_PREFIX)) document.title = document.title.slice(ERROR_PREFIX.length);
    };
  });
}
