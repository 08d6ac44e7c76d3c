import { Outlet, UNSAFE_RemixContext as RemixContext, useLocation, useMatches } from "@remix-run/react";
import { type ComponentType, useContext } from "react";
import { useLoadedRootData } from "./root-data";

/**
 * The page of an address, and a new one for every other: a route draws many payees, payments and verifications one after
 * the other, and whatever a person typed, ticked, opened or was told on the page of one ends with that page.
 */
export function PageOutlet() {
  const { pathname } = useLocation();
  return <Outlet key={pathname} />;
}

/**
 * A client navigation that never reached the server fails every loader at once, and the router then shows the root's
 * boundary only. This finds the boundary of the page that was asked for (`page`), or of the frame around it (`frame`), so
 * that it can say in its own words what could not be loaded. Undefined when the root route did load: then the error came
 * from drawing, and drawing it again would fail again.
 */
export function useAskedBoundary(which: "frame" | "page"): ComponentType | undefined {
  const remix = useContext(RemixContext);
  const matches = useMatches();
  const isLoaded = useLoadedRootData() !== undefined;
  const [, frame] = matches;
  const page = matches.length > 2 ? matches.at(-1) : undefined;
  const match = which === "frame" ? frame : page;
  return isLoaded || !match ? undefined : remix?.routeModules[match.id]?.ErrorBoundary;
}
