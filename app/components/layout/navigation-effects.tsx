import { useLocation, useNavigation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";

/**
 * What a new document does by itself and a client navigation does not: focus goes to the page's heading, a live region
 * says the new title, and a thin bar shows when the next page takes longer than 300 ms.
 */
export function NavigationEffects() {
  const { pathname, hash } = useLocation();
  const { state } = useNavigation();
  const [title, setTitle] = useState("");
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    setTitle(document.title);
    if (hash || isAlertFocused()) return;
    const heading = document.getElementById("page-title") ?? document.getElementById("main");
    heading?.focus({ preventScroll: true });
  }, [pathname, hash]);
  return (
    <>
      {state !== "idle" && <div aria-hidden="true" className="slow-bar" />}
      <p role="status" className="sr-only">
        {title}
      </p>
    </>
  );
}

/** The summary of what was wrong with a form has taken the focus, and keeps it. */
const isAlertFocused = () => document.activeElement?.getAttribute("role") === "alert";
