/** A small client of the W3C WebDriver protocol: one session of one browser, as far as the tests need it. */

/** The key under which a driver names an element (W3C WebDriver, section 12). */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

export type Session = {
  /** The browser's name and version. */
  name: string;
  visit(address: string): Promise<void>;
  address(): Promise<string>;
  /** The browser's Back button. */
  back(): Promise<void>;
  /** Sets the width and the height of the window; fails when the page does not get that width. */
  resize(width: number, height: number): Promise<void>;
  /** Runs a self-contained function in the page. */
  run<A extends unknown[], R>(script: (...args: A) => R, ...args: A): Promise<R>;
  /** Evaluates an expression in the page. */
  evaluate<R>(expression: string): Promise<R>;
  /** Polls until the answer is accepted. */
  answer<A extends unknown[], R>(
    what: string,
    accept: (answer: R) => boolean,
    script: (...args: A) => R,
    ...args: A
  ): Promise<R>;
  /** Polls until the answer is true. */
  until<A extends unknown[]>(what: string, script: (...args: A) => boolean, ...args: A): Promise<void>;
  /** Types into the field that a selector finds; a field for files takes a path. */
  type(selector: string, text: string): Promise<void>;
  /** Presses a point of the window as a person does, with a mouse or with a finger. */
  press(at: { x: number; y: number }, pointerType?: "mouse" | "touch"): Promise<void>;
  /** A screenshot of the window as PNG. */
  picture(): Promise<Buffer>;
  forgetCookies(): Promise<void>;
  close(): Promise<void>;
};

/** The commands by the names that Firefox's own protocol has for them. */
type Command =
  | "Navigate"
  | "GetCurrentURL"
  | "Back"
  | "SetWindowRect"
  | "ExecuteScript"
  | "FindElement"
  | "ElementClear"
  | "ElementSendKeys"
  | "PerformActions"
  | "ReleaseActions"
  | "TakeScreenshot"
  | "DeleteAllCookies"
  | "DeleteSession";

/** Sends a command to the browser. An element's id is in `id`. */
export type Ask = <T>(command: Command, parameters?: Record<string, unknown>) => Promise<T>;

/** The same commands over HTTP (W3C WebDriver, section 6). */
const OVER_HTTP: Record<Command, [method: string, path: (id: unknown) => string]> = {
  Navigate: ["POST", () => "/url"],
  GetCurrentURL: ["GET", () => "/url"],
  Back: ["POST", () => "/back"],
  SetWindowRect: ["POST", () => "/window/rect"],
  ExecuteScript: ["POST", () => "/execute/sync"],
  FindElement: ["POST", () => "/element"],
  ElementClear: ["POST", (id) => `/element/${id}/clear`],
  ElementSendKeys: ["POST", (id) => `/element/${id}/value`],
  PerformActions: ["POST", () => "/actions"],
  ReleaseActions: ["DELETE", () => "/actions"],
  TakeScreenshot: ["GET", () => "/screenshot"],
  DeleteAllCookies: ["DELETE", () => "/cookie"],
  DeleteSession: ["DELETE", () => ""],
};

/** Only the browser's own limits end something that hangs. */
export const TIMEOUTS = { script: 300_000, pageLoad: 300_000 };

/** On a busy machine, something immediate may take this long. */
const PATIENCE_MS = 180_000;

/** The browser or one of its processes ended unexpectedly. */
export class BrowserEnded extends Error {}

/**
 * Opens a session with a driver that listens over HTTP.
 * @param said what the driver and its browser wrote, for whoever reads why something failed
 */
export async function openSession(
  driver: string,
  capabilities: Record<string, unknown>,
  said: () => string,
): Promise<Session> {
  const send = async <T>(method: string, path: string, body: unknown) => {
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(driver + path, {
      method,
      headers,
      body: method === "POST" ? JSON.stringify(body) : null,
    });
    const { value } = (await answer.json()) as { value: T & { error?: string; message?: string } };
    return { isDone: answer.ok, value };
  };
  const call = async <T>(method: string, path: string, body: unknown): Promise<T> => {
    const { isDone, value } = await send<T>(method, path, body).catch((cause) => {
      throw new BrowserEnded(`${method} ${path}: the driver does not answer; ${said()}`, { cause });
    });
    if (isDone) return value;
    const what = `${method} ${path}: ${value.error}, ${value.message}`;
    // The command during a crash fails with "unknown error"; only the next one says that the session is gone.
    const [session = ""] = /^\/session\/[^/]+/.exec(path) ?? [];
    const isMet = value.error === "unknown error" && session !== "";
    const next = isMet ? await send<string>("GET", `${session}/window`, null).catch(() => null) : { isDone: true };
    const hasEnded = value.error === "invalid session id" || !next?.isDone;
    throw hasEnded ? new BrowserEnded(`${what}; ${said()}`) : new Error(what);
  };
  type Opened = { sessionId: string; capabilities: Named };
  const opened = await call<Opened>("POST", "/session", {
    capabilities: { alwaysMatch: { ...capabilities, timeouts: TIMEOUTS } },
  });
  return sessionOf(opened.capabilities, (command, parameters = {}) => {
    const [method, path] = OVER_HTTP[command];
    return call(method, `/session/${opened.sessionId}${path(parameters.id)}`, parameters);
  });
}

/** In the page: what a person sees of it, and what its fields contain. */
function describePage(): string {
  const fields = [...document.querySelectorAll<HTMLInputElement>("main :is(input, textarea):not([type=hidden])")];
  const typed = fields.map(({ name, value, type }) => `${name}: ${type === "password" ? value.length : value}`);
  return `${document.querySelector("main")?.innerText.slice(0, 600)}\n${typed.join("\n")}`;
}

export type Named = { browserName: string; browserVersion: string };

export function sessionOf({ browserName, browserVersion }: Named, ask: Ask): Session {
  const session: Session = {
    name: `${browserName} ${browserVersion}`,
    visit: (address) => ask("Navigate", { url: address }),
    address: () => ask("GetCurrentURL"),
    back: () => ask("Back"),
    async resize(width, height) {
      await ask("SetWindowRect", { width, height });
      await session.until(`a window of ${width} px`, (asked) => window.innerWidth === asked, width);
    },
    evaluate: (expression) => ask("ExecuteScript", { script: `return (${expression})`, args: [] }),
    run: (script, ...args) => ask("ExecuteScript", { script: `return (${script})(...arguments)`, args }),
    async answer(what, accept, script, ...args) {
      let last: unknown;
      let pause = 10;
      for (const end = Date.now() + PATIENCE_MS; Date.now() < end; pause = Math.min(2 * pause, 100)) {
        try {
          const answer = await session.run(script, ...args);
          if (accept(answer)) return answer;
          last = answer;
        } catch (error) {
          if (error instanceof BrowserEnded) throw error;
          // While a page is being replaced there is no document.
          last = error;
        }
        await new Promise((done) => setTimeout(done, pause));
      }
      const shown = await session.run(describePage).catch(String);
      throw new Error(`waited in vain for ${what} (last: ${last}) on ${await session.address()}: ${shown}`);
    },
    async until(what, script, ...args) {
      await session.answer(what, (isTrue) => isTrue, script, ...args);
    },
    async type(selector, text) {
      const found = await ask<Record<string, string>>("FindElement", { using: "css selector", value: selector });
      const id = found[ELEMENT];
      if (!text.startsWith("/")) await ask("ElementClear", { id });
      await ask("ElementSendKeys", { id, text });
    },
    async press({ x, y }, pointerType = "mouse") {
      const actions = [
        { type: "pointerMove", duration: 0, x: Math.round(x), y: Math.round(y), origin: "viewport" },
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ];
      await ask("PerformActions", {
        actions: [{ type: "pointer", id: pointerType, parameters: { pointerType }, actions }],
      });
      await ask("ReleaseActions");
    },
    picture: async () => Buffer.from(await ask<string>("TakeScreenshot", { full: false }), "base64"),
    forgetCookies: () => ask("DeleteAllCookies"),
    close: () => ask("DeleteSession"),
  };
  return session;
}
