/** A script that speaks to the app over HTTP, as an integrator would: JSON, and a jar for its cookies. */

// Whatever the JSON contains; each test checks what it expects.

type Json = ReturnType<typeof JSON.parse>;

export type Answer = { status: number; body: Json; headers: Headers };

export type ApiClient = {
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Posts text as it is, e.g. the bytes of a file. */
  send(path: string, text: string, headers?: Record<string, string>): Promise<Answer>;
  patch(path: string, body: unknown): Promise<Answer>;
  delete(path: string, body?: unknown): Promise<Answer>;
  /** Posts a form as a page without a script does. */
  submit(path: string, form: Record<string, string>): Promise<Answer>;
  /** Its cookies, by name: the session among them. */
  jar: ReadonlyMap<string, string>;
};

export function apiClient(origin: string): ApiClient {
  const jar = new Map<string, string>();
  const call = async (method: string, path: string, body?: unknown, more: Record<string, string> = {}) => {
    // A separate connection, because the app may close a kept one just as it is used again.
    const headers: Record<string, string> = { Connection: "close", ...more };
    if (jar.size > 0) headers.Cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const isForm = body instanceof URLSearchParams;
    const isText = typeof body === "string" && headers["Content-Type"] !== undefined;
    if (body !== undefined && !isForm && !isText) headers["Content-Type"] = "application/json";
    const response = await fetch(new URL(path, origin), {
      method,
      headers,
      body: body === undefined || isForm ? body : isText ? String(body) : JSON.stringify(body),
      redirect: "manual",
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ""] = cookie.split(";");
      const [name = "", value = ""] = pair.split(/=(.*)/s);
      if (/max-age=0/i.test(cookie)) jar.delete(name);
      else jar.set(name, value);
    }
    const text = await response.text();
    const isJson = response.headers.get("Content-Type")?.includes("json");
    return { status: response.status, body: isJson && text ? JSON.parse(text) : text, headers: response.headers };
  };
  return {
    jar,
    get: (path) => call("GET", path),
    post: (path, body, headers) => call("POST", path, body, headers),
    send: (path, text, headers) => call("POST", path, text, { "Content-Type": "text/plain", ...headers }),
    patch: (path, body) => call("PATCH", path, body),
    delete: (path, body) => call("DELETE", path, body),
    submit: (path, form) => call("POST", path, new URLSearchParams(form), { Accept: "text/html" }),
  };
}

/** Limits a wait that cannot succeed; a busy machine takes long. */
const PATIENCE_MS = 90_000;

/** Repeats the call until `accept` returns true, because queues do the work in the background. */
export async function until<T>(ask: () => Promise<T>, accept: (value: T) => boolean, what: string): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const value = await ask();
    if (accept(value)) return value;
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
}
