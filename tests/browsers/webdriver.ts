/** A small client of the W3C WebDriver protocol: one session of one browser, as far as the tests need it. */

/** The key under which a driver names an element (W3C WebDriver, section 12). */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

export type Session = {
  /** What the browser calls itself, with its version. */
  name: string;
  visit(address: string): Promise<void>;
  address(): Promise<string>;
  /** Sets the width and the height of the window; fails when the page does not get that width. */
  resize(width: number, height: number): Promise<void>;
  /** Runs a function of its own in the page; it sees its arguments and nothing else. */
  run<A extends unknown[], R>(script: (...args: A) => R, ...args: A): Promise<R>;
  /** Asks again until the answer is true. */
  until<A extends unknown[]>(what: string, script: (...args: A) => boolean, ...args: A): Promise<void>;
  /** Types into the field that a selector finds. */
  type(selector: string, text: string): Promise<void>;
  /** Presses a point of the window with the pointer, as a person does. */
  press(at: { x: number; y: number }): Promise<void>;
  close(): Promise<void>;
};

const PATIENCE_MS = 30_000;

/** Opens a session with a driver that runs. */
export async function openSession(driver: string, capabilities: Record<string, unknown>): Promise<Session> {
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(driver + path, {
      method,
      headers: { "Content-Type": "application/json" },
      body: method === "POST" ? JSON.stringify(body ?? {}) : undefined,
    });
    const { value } = (await answer.json()) as { value: T & { error?: string; message?: string } };
    if (!answer.ok) throw new Error(`${method} ${path}: ${value.error}, ${value.message}`);
    return value;
  };
  type Opened = { sessionId: string; capabilities: { browserName: string; browserVersion: string } };
  const opened = await call<Opened>("POST", "/session", { capabilities: { alwaysMatch: capabilities } });
  const own = `/session/${opened.sessionId}`;

  const session: Session = {
    name: `${opened.capabilities.browserName} ${opened.capabilities.browserVersion}`,
    visit: (address) => call("POST", `${own}/url`, { url: address }),
    address: () => call("GET", `${own}/url`),
    async resize(width, height) {
      await call("POST", `${own}/window/rect`, { width, height });
      await session.until(`a window of ${width} px`, (asked) => window.innerWidth === asked, width);
    },
    run: (script, ...args) => call("POST", `${own}/execute/sync`, { script: `return (${script})(...arguments)`, args }),
    async until(what, script, ...args) {
      for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await new Promise((done) => setTimeout(done, 50))) {
        // A page that is just leaving has no document to ask.
        if (await session.run(script, ...args).catch(() => false)) return;
      }
      throw new Error(`waited in vain for ${what} on ${await session.address()}`);
    },
    async type(selector, text) {
      const found = await call<Record<string, string>>("POST", `${own}/element`, {
        using: "css selector",
        value: selector,
      });
      await call("POST", `${own}/element/${found[ELEMENT]}/value`, { text });
    },
    async press({ x, y }) {
      const actions = [
        { type: "pointerMove", duration: 0, x: Math.round(x), y: Math.round(y), origin: "viewport" },
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ];
      await call("POST", `${own}/actions`, { actions: [{ type: "pointer", id: "mouse", actions }] });
      await call("DELETE", `${own}/actions`);
    },
    close: () => call("DELETE", own),
  };
  return session;
}
