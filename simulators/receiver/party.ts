import { showInstant } from "../control/pages";
import { html, page } from "../html";
import { type Party, type SimulatedCall, type SimulatorContext, sleep } from "../party";
import { createRoutes, route } from "../routes";

/** An event as it arrived. */
type Received = { url: string; headers: Record<string, string>; body: string; receivedAt: number };

const KEPT = 500;
const SLOW_MS = 60_000;
const REFRESH_SECONDS = 3;

/** What a host does, by its first label; every other host accepts what it is sent. */
const BEHAVIOURS: Readonly<Record<string, (context: SimulatorContext) => Promise<Response> | Response>> = {
  broken: () => new Response("Something went wrong", { status: 500 }),
  gone: () => new Response("Gone", { status: 410 }),
  redirects: () => new Response(null, { status: 302, headers: { location: "http://127.0.0.1/admin" } }),
  long: () => new Response("x".repeat(100_000)),
  async slow(context) {
    await sleep(context.timers, SLOW_MS);
    return new Response("late");
  },
};

/** Customers' systems that receive webhooks, for every address, on one page. */
export function receiverParty(context: SimulatorContext): Party {
  const received = context.slice<Received[]>("receiver", () => []);

  async function receive({ request, body }: SimulatedCall, url: string): Promise<Response> {
    received.push({ url, headers: Object.fromEntries(request.headers), body, receivedAt: context.now() });
    if (received.length > KEPT) received.splice(0, received.length - KEPT);
    context.save();
    const behaviour = BEHAVIOURS[new URL(url).hostname.split(".")[0] ?? ""];
    return behaviour ? behaviour(context) : new Response("taken");
  }

  return {
    name: "receiver",
    links: [
      { href: "/receiver", text: "Events that customers' systems received" },
      { href: "/receiver/events", text: "The same as JSON" },
    ],
    isAppCall: ({ request }) => request.method === "POST",
    app: createRoutes(
      [
        route("GET", "", () => listPage([...received].reverse())),
        route("GET", "/events", () => Response.json([...received].reverse())),
        route("POST", "/:url", (call, { url = "" }) => receive(call, url)),
      ],
      () => Response.json({ error: "not found" }, { status: 404 }),
    ),
    errorAnswer: (status) => new Response("Simulated fault", { status }),
  };
}

function listPage(events: Received[]): Response {
  const rows = events.map(
    (event) =>
      html`<tr><td>${showInstant(event.receivedAt)}</td><td>${event.url}</td><td><pre style="white-space:pre-wrap">${event.body}</pre></td></tr>`,
  );
  return page(
    "Events received",
    html`<p>Every event that the app has sent to customers' systems, newest first (<a href="/receiver/events">JSON</a>). Hosts that begin with ${Object.keys(BEHAVIOURS).join(", ")} behave as their name says.</p>
<table><thead><tr><th>At (UTC)</th><th>Address</th><th>Body</th></tr></thead><tbody>${rows}</tbody></table>`,
    200,
    REFRESH_SECONDS,
  );
}
