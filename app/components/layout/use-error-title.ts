import { useEffect } from "react";
import { ERROR_PREFIX } from "~/components/layout/page-title";

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
