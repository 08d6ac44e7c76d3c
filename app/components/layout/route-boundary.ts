import { UNSAFE_RemixContext as RemixContext, useMatches } from "@remix-run/react";
import { type ComponentType, useContext } from "react";
import { useLoadedRootData } from "./root-data";

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
