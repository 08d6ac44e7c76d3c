import { UNSAFE_RemixContext as RemixContext, useLocation } from "@remix-run/react";
import { useContext, useEffect } from "react";

const DELAY_MS = 1_000;

/**
 * Fetches the scripts of the pages that the shown one links to, a moment after it is there. When the connection is lost
 * later, those pages can still say so in our layout; without their scripts the browser would show its own error page.
 */
export function useLinkedPages(): void {
  const manifest = useContext(RemixContext)?.manifest;
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page brings links of its own
  useEffect(() => {
    if (!manifest) return;
    const timer = setTimeout(() => {
      for (const { module, imports = [] } of Object.values(manifest.routes)) [module, ...imports].forEach(preload);
    }, DELAY_MS);
    return () => clearTimeout(timer);
  }, [manifest, pathname]);
}

function preload(href: string) {
  if (document.head.querySelector(`link[rel="modulepreload"][href="${href}"]`)) return;
  const link = document.createElement("link");
  link.rel = "modulepreload";
  link.href = href;
  document.head.appendChild(link);
}
