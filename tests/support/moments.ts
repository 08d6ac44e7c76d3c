import type { Page } from "playwright-core";

/**
 * What a page shows for a moment only, a decision before the list follows or a message before it leaves, may be over on
 * a busy machine before a test looks. Here such a moment lasts until the test ends it.
 */
const MOMENTS_MS = { decision: 1_500, message: 5_000 };

type Holding = { endMoments?: (ms: number) => number };

/** For the documents that this page opens from now on. */
export const holdMoments = (page: Page) => page.addInitScript(hold, Object.values(MOMENTS_MS));

/** Ends each moment of this kind that the page waits for. @returns how many those were */
export const endMoments = (page: Page, kind: keyof typeof MOMENTS_MS): Promise<number> =>
  page.evaluate((ms) => {
    const { endMoments } = window as Holding;
    if (!endMoments) throw new Error("the page's moments are not held");
    return endMoments(ms);
  }, MOMENTS_MS[kind]);

/** In the page, before its scripts. */
function hold(moments: readonly number[]) {
  const held = new Map<number, { ms: number; end: () => void }>();
  const { setTimeout: wait, clearTimeout: forget } = window;
  let last = 0;
  const replaced = (act: TimerHandler, ms?: number, ...given: unknown[]) => {
    if (typeof act !== "function" || ms === undefined || !moments.includes(ms)) return wait(act, ms, ...given);
    last -= 1;
    held.set(last, { ms, end: () => act(...given) });
    return last;
  };
  window.setTimeout = replaced as typeof window.setTimeout;
  window.clearTimeout = (id) => (held.delete(Number(id)) ? undefined : forget(Number(id)));
  (window as Holding).endMoments = (sought) => {
    const ended = [...held].filter(([, { ms }]) => ms === sought);
    for (const [id, { end }] of ended) {
      held.delete(id);
      end();
    }
    return ended.length;
  };
}
