import { findControl, findField, findPress } from "../support/presses";
import type { Session } from "./webdriver";

/** A person's actions in any browser: press a named control, type into a labelled field, read what is visible. */
export type Visitor = ReturnType<typeof visitorOf>;

export function visitorOf(session: Session, origin: string) {
  /** Polls the page until it has an answer. */
  const find = async <T>(what: string, ask: (asked: string) => T | null, name: string): Promise<T> => {
    const found = await session.answer(`the ${what} “${name}”`, (answer) => answer !== null, ask, name);
    return found as T;
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
    /** Presses again if the control moved away under the pointer, as it may while a page is rendering. */
    async press(name: string) {
      for (let last = ""; ; ) {
        const at = await find("control", findControl, name);
        const isStill = JSON.stringify(at) === last;
        last = JSON.stringify(at);
        if (!isStill) continue;
        await session.press(at);
        const result = await session.answer(`a press on “${name}”`, (press) => press !== "awaited", findPress);
        if (result !== "missed") return;
      }
    },
    async fill(label: string, text: string) {
      const type = async () => {
        const field = await find("field", findField, label);
        await session.type(field, text);
        return field;
      };
      // A page that is drawn again at this moment has another element in the field's place; WebKit calls that unknown.
      const field = await type().catch((error) =>
        /stale element|unknown error/.test(String(error)) ? type() : Promise.reject(error),
      );
      await session.until(
        `“${text}” in “${label}”`,
        (selector, typed) => document.querySelector<HTMLInputElement>(selector)?.value === typed,
        field,
        text,
      );
    },
    path: async () => new URL(await session.address()).pathname,
  };
}
