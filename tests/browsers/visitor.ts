import { findControl, findField } from "../support/presses";
import type { Session } from "./webdriver";

/** What a person does in a browser of any maker: presses what has a name, types beside a label, reads what is shown. */
export type Visitor = ReturnType<typeof visitorOf>;

export function visitorOf(session: Session, origin: string) {
  /** Asks the page until it has an answer. */
  const find = async <T>(what: string, ask: (asked: string) => T | null, name: string): Promise<T> => {
    let found: T | null = null;
    for (const end = Date.now() + 45_000; Date.now() < end && found === null; ) {
      found = await session.run(ask, name).catch(() => null);
      if (found === null) await new Promise((done) => setTimeout(done, 50));
    }
    if (found !== null) return found;
    const shown = await session.run(() => document.querySelector("main")?.innerText.slice(0, 600)).catch(() => "");
    throw new Error(`no ${what} “${name}” on ${await session.address()}: ${shown}`);
  };
  return {
    session,
    origin,
    visit: (address: string) => session.visit(address.startsWith("/") ? origin + address : address),
    /** Waits until the page says this. */
    sees: (text: string) =>
      session.until(`“${text}”`, (asked) => document.body.innerText.replace(/\s+/g, " ").includes(asked), text),
    /** Waits for a page whose path is like this one. */
    arrives: (path: string) =>
      session.until(
        `the page ${path}`,
        (asked) => new RegExp(`^(?:${asked})$`).test(location.pathname) && document.readyState === "complete",
        path,
      ),
    async press(name: string) {
      // What still moves, on a page that is just being drawn, would be missed.
      for (let last = ""; ; ) {
        const at = await find("control", findControl, name);
        if (JSON.stringify(at) === last) return session.press(at);
        last = JSON.stringify(at);
      }
    },
    async fill(label: string, text: string) {
      const type = async () => session.type(await find("field", findField, label), text);
      // A page that is drawn again at this moment has another element in the field's place.
      await type().catch((error) => (/stale element/.test(String(error)) ? type() : Promise.reject(error)));
    },
    path: async () => new URL(await session.address()).pathname,
  };
}
