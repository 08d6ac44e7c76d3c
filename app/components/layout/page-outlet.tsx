import { Outlet, UNSAFE_RemixContext as RemixContext, useLocation, useMatches } from "@remix-run/react";
import { type ComponentType, useContext } from "react";
import { useLoadedRootData } from "./root-data";

/**
 * Renders the page with a new instance for each address: one route shows many payees, payments and verifications in
 * turn, and whatever was typed, ticked, opened or shown on one must not carry over to the next.
 */
export function PageOutlet() {
  const { pathname } = useLocation();
  return <Outlet key={pathname} />;
}

/**
 * A client navigation that does not reach the server fails every loader at once, and the router then shows only the
 * root's boundary. This finds the boundary of the requested page (`page`), or of the frame around it (`frame`), so that
 * it can say in its own words what could not be loaded. Undefined when the root route did load: then rendering failed,
 * and would fail again.
 */
export function useRequestedBoundary(which: "frame" | "page"): ComponentType | undefined {
  const remix = useContext(RemixContext);
  const matches = useMatches();
  const isLoaded = useLoadedRootData() !== undefined;
  const [, frame] = matches;
  const page = matches.length > 2 ? matches.at(-1) : undefined;
  const match = which === "frame" ? frame : page;
  return isLoaded || !match ? undefined : remix?.routeModules[match.id]?.ErrorBoundary;
}
