import { startWebKit } from "../../scripts/lib/drivers.mjs";
import { BrowserEnded, openSession, type Session } from "./webdriver";

/** WebKit through its own driver on a virtual display. */
export async function openWebKit(): Promise<Session> {
  const webkit = await startWebKit();
  try {
    const session = await openSession(webkit.address, webkit.capabilities, webkit.said);
    return { ...session, close: () => session.close().finally(webkit.end) };
  } catch (error) {
    webkit.end();
    throw error;
  }
}

type InBrowser<S> = { open(): Promise<S>; close(state: S): Promise<unknown> };

/**
 * Runs tests one after another in a browser that may crash once: it is reopened, which is logged, and the test starts
 * again. A second crash fails.
 */
export function goingOn<S>({ open, close }: InBrowser<S>) {
  let state: S | undefined;
  let hasCrashed = false;
  return {
    async run(test: (state: S) => Promise<void>): Promise<void> {
      for (;;) {
        try {
          state ??= await open();
          return await test(state);
        } catch (error) {
          if (hasCrashed || !(error instanceof BrowserEnded)) throw error;
          hasCrashed = true;
          console.warn(`The browser ended by itself, and this begins again in a new one: ${error.message}`);
          if (state) await close(state).catch(() => {});
          state = undefined;
        }
      }
    },
    end: async () => state && close(state),
  };
}
