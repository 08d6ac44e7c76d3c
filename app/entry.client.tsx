import { matchRoutes, RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { LastRootContext } from "~/components/layout/root-data";

/**
 * Opens whatever the person pressed last. That may interrupt an earlier request: Firefox cancels a document's requests
 * as soon as another document is requested. The framework would then print an error, show an error page, or reload the
 * page and forget the last press. The build inserts these three functions into it (scripts/lib/join-chunks.mjs).
 */
type Interruptions = {
  /** Called when a route's module did not load. */
  lose(routeId: string): Promise<never>;
  /** A request to the server, which never settles once the person has left the page. */
  wait<T>(answer: Promise<T>): Promise<T>;
  /** Logs an error, unless the person has left the page. */
  report(error: unknown, signal?: AbortSignal | null): void;
};

declare global {
  var interruptions: Interruptions;
}

const never = () => new Promise<never>(() => {});
let isLeaving = false;

/** In Safari, Back and Forward cancel a page's requests shortly before the page is told that it is being left. */
const TOLD_MS = 2_000;

const isLeft = (patienceMs = TOLD_MS) =>
  new Promise<boolean>((resolve) => {
    addEventListener("beforeunload", () => resolve(true), { once: true });
    setTimeout(() => resolve(isLeaving), isLeaving ? 0 : patienceMs);
  });

globalThis.interruptions = {
  async lose(routeId) {
    const isGone = await isLeft();
    const { routes, state, createHref } = __remixRouter;
    const { location } = state.navigation;
    // The person has pressed something else, or nothing, because links prefetch when they are pointed at.
    const isWanted = location && matchRoutes(routes, location)?.some(({ route }) => route.id === routeId);
    if (isGone || !isWanted) return never();
    isLeaving = true;
    // A file of an earlier release, or a lost connection: loads the page itself.
    window.location.assign(createHref(location));
    return never();
  },
  async wait(answer) {
    try {
      return await answer;
    } catch (error) {
      // Left within the page, so nothing waits for it.
      const isGone = error instanceof DOMException ? isLeaving : await isLeft();
      return isGone ? never() : Promise.reject(error);
    }
  },
  async report(error, signal) {
    // Nobody waits for this, so there is time for a slow machine.
    if (!(await isLeft(5 * TOLD_MS)) && !signal?.aborted) console.error(error);
  },
};

/**
 * Another document is on its way that no link or form of this page requested, for example after Back. The router does
 * not know of it, so it would replace whatever the router opens meanwhile.
 */
let isReplaced = false;
/** The browser itself follows the link or sends the form that was pressed, which may be a download. */
let isFollowed = false;

addEventListener("beforeunload", () => {
  isReplaced ||= !isFollowed;
  isFollowed = false;
  isLeaving = true;
});
// The page is here again from the browser's cache.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) isLeaving = isReplaced = false;
});
// The page is still here because the request was a download.
for (const event of ["pointerdown", "keydown"]) addEventListener(event, () => (isLeaving = isFollowed = false), true);

for (const press of ["click", "submit"]) {
  const leads = ({ target }: Event) =>
    press === "submit" || (target instanceof Element && target.closest("a:not([target])") !== null);
  // Left to the browser, which drops the document that was asked for before.
  addEventListener(press, (event) => isReplaced && leads(event) && event.stopImmediatePropagation(), true);
  addEventListener(press, (event) => (isFollowed = leads(event) && !event.defaultPrevented));
}

/**
 * A form whose script is still on its way waits for it: if the browser itself sent it, the page would load again, and
 * what is typed in its other forms would be lost. After four seconds the browser sends it. Pressed again meanwhile, it
 * is sent once, with the button that was pressed last.
 */
let sent: EventTarget | null;
let pressed: SubmitEvent;

async function sendWhenReady(event: SubmitEvent) {
  const { submitter, target: form } = event;
  const isReady = () => form === sent || Object.keys(form as object).some((key) => key.startsWith("__react"));
  if (isReady()) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  pressed = event;
  for (let tries = 40; tries-- > 0 && !isReady(); ) await new Promise((next) => setTimeout(next, 100));
  if (pressed !== event) return;
  sent = form;
  if (form instanceof HTMLFormElement && form.isConnected) form.requestSubmit(submitter);
}
addEventListener("submit", sendWhenReady, true);

/**
 * The framework reads the loaders' data while React waits at the root of the document. A key or press would make React
 * render the root at that moment, which fails with its error 345, so hydration starts when all data has been read.
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
      // A press before the page was ready (421): React renders the page again, which is not an error.
      onRecoverableError: (error) => /#421/.test(String(error)) || reportError(error),
    },
  );
}

untilRead().then(() => startTransition(hydrate));
