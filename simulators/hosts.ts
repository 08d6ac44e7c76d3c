/** Anything that answers a request: the simulators, or the app under test. */
type Answers = { fetch(request: Request): Promise<Response> };

/**
 * A `fetch` for tests that knows only the given origins, e.g. `hosts({ "http://127.0.0.1:8788": simulators })`.
 *
 * A request to any other host throws, so that a test can never reach the internet unnoticed. Like the platform's, it
 * rejects when the request is aborted.
 */
export function hosts(answering: Record<string, Answers>): (request: Request) => Promise<Response> {
  return async (request) => {
    const { origin } = new URL(request.url);
    const host = answering[origin];
    if (!host) throw new Error(`Nobody simulates ${origin}`);
    return Promise.race([host.fetch(request), rejectWhenAborted(request.signal)]);
  };
}

function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason));
  });
}
