import { matchRoutes, RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { LastRootContext } from "~/components/layout/root-data";

/**
 * The last thing that a person pressed is what opens. What was on its way before may be cut off by that: Firefox ends a
 * document's requests as soon as another document is asked for. The framework would print an error then, show an error
 * page, or load the page again and lose what was pressed last. The build puts these three into it
 * (scripts/lib/join-chunks.mjs).
 */
type Interruptions = {
  /** A route's module did not arrive. */
  lose(routeId: string): Promise<never>;
  /** What was asked of the server; what the person has turned away from never ends. */
  wait<T>(answer: Promise<T>): Promise<T>;
  /** Prints what went wrong, unless the person has turned away from it. */
  report(error: unknown, signal?: AbortSignal | null): void;
};

declare global {
  var interruptions: Interruptions;
}

const never = () => new Promise<never>(() => {});
let isLeaving = false;

/** Back and Forward in Safari end what a page asked for some moments before the page is told that it is left. */
const TOLD_MS = 2_000;

const isLeft = () =>
  new Promise<boolean>((resolve) => {
    addEventListener("beforeunload", () => resolve(true), { once: true });
    setTimeout(() => resolve(isLeaving), isLeaving ? 0 : TOLD_MS);
  });

globalThis.interruptions = {
  async lose(routeId) {
    const isGone = await isLeft();
    const { routes, state, createHref } = __remixRouter;
    const { location } = state.navigation;
    // Something else was pressed by now, or nothing: links fetch what they lead to when they are pointed at.
    const isWanted = location && matchRoutes(routes, location)?.some(({ route }) => route.id === routeId);
    if (isGone || !isWanted) return never();
    isLeaving = true;
    // A file of an earlier release, or a lost connection: the page itself is asked for.
    window.location.assign(createHref(location));
    return never();
  },
  async wait(answer) {
    try {
      return await answer;
    } catch (error) {
      // Turned away from within the page: nobody waits for it.
      const isGone = error instanceof DOMException ? isLeaving : await isLeft();
      return isGone ? never() : Promise.reject(error);
    }
  },
  async report(error, signal) {
    if (!(await isLeft()) && !signal?.aborted) console.error(error);
  },
};

addEventListener("beforeunload", () => {
  isLeaving = true;
});
// Still here: what was asked for was a file to save. Or here again, as the browser kept the page.
for (const event of ["pointerdown", "keydown", "pageshow"]) addEventListener(event, () => (isLeaving = false), true);

/**
 * The framework reads what the loaders answered while React waits at the root of the document. A key or a press would make
 * React draw the root at that moment, which ends in its error 345: it begins when everything has been read.
 */
async function untilRead() {
  try {
    RemixBrowser({});
  } catch (reading) {
    await reading;
  }
}

function hydrate() {
  hydrateRoot(
    document,
    <StrictMode>
      <LastRootContext.Provider value={{}}>
        <RemixBrowser />
      </LastRootContext.Provider>
    </StrictMode>,
    {
      // Pressed before the page was ready (421): React draws what leaves anew, which is nobody's fault.
      onRecoverableError: (error) => /#421/.test(String(error)) || reportError(error),
    },
  );
}

untilRead().then(() => startTransition(hydrate));
