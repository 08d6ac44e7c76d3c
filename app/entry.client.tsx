import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { LastRootContext } from "~/components/layout/root-data";

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <LastRootContext.Provider value={{}}>
        <RemixBrowser />
      </LastRootContext.Provider>
    </StrictMode>,
  );
});
