import { env } from "cloudflare:workers";
import { openD1 } from "@db/client";
import { answerLocally } from "@workers/local";
import { consume } from "@workers/queues";
import { createBasiqBankData } from "~/adapters/bank-data/basiq";
import { createStripeCards } from "~/adapters/cards/stripe";
import { action as basiqWebhook } from "~/routes/webhooks+/basiq";
import { action as stripeWebhook } from "~/routes/webhooks+/stripe";
import type { QueueName, Services } from "~/services";
import { createMemoryStore, createSimulators, hosts } from "../../simulators";
import { type TestServices, testServices } from "./services";
import { SIMULATORS_ORIGIN, TEST_ENV } from "./test-env";

type Fault = {
  party: "basiq" | "stripe" | "mail" | "sms";
  fault: string;
  times: number;
  path?: string;
  retryAfter?: number;
};
type Mail = { id: string; to: string; subject: string; text: string; links: string[] };
type Timer = { at: number; run: () => void | Promise<void> };

export type World = TestServices & {
  /** Moves the clock on, running what falls due on the way: timers of the simulators, delayed messages, queues. */
  pass(ms: number): Promise<void>;
  /** Delivers every message the queues were told of and that is due, until there are none. */
  drain(services?: Services): Promise<void>;
  /** Delivers one message, as often as it is called. */
  deliver(queue: QueueName | "dead-letters", body: unknown, services?: Services): Promise<{ retried: number }>;
  /** Webhooks, hints: lets messages of the kind vanish until told otherwise. */
  lose: { webhooks: boolean };
  fault(fault: Fault): Promise<void>;
  clearFaults(): Promise<void>;
  /** What a payee does by clicking through the bank. */
  completeAtBank(verificationId: string, persona: string): Promise<void>;
  mails(): Promise<Mail[]>;
  texts(): Promise<{ to: string; body: string }[]>;
  /** Calls one of the simulators' own pages or doors. */
  visit(path: string, form?: Record<string, string>): Promise<Response>;
  /** Sends a request to the simulators as it is. */
  ask(request: Request): Promise<Response>;
  /** Calls the bank-data provider received, newest first. */
  calls(path?: string): Promise<{ method: string; path: string; status: number }[]>;
  /** Delivers a webhook to our route. */
  webhook(request: Request): Promise<Response>;
  /** The last webhook that arrived, to be delivered once more. */
  lastWebhook(): Request;
};

/**
 * Services whose outside parties are the simulators, in this process, over the real wire format. Nothing happens by
 * itself: `drain` delivers, `pass` lets time go by. A call to any other host, or to a door the app does not have, fails.
 */
export function aWorld(options: { timeoutMs?: number; clockStart?: number } = {}): World {
  const timers: Timer[] = [];
  const lose = { webhooks: false };
  const webhooks: { url: string; headers: [string, string][]; body: string }[] = [];

  const simulators = createSimulators({
    store: createMemoryStore(),
    now: () => world.clock.now(),
    randomId: () => crypto.randomUUID(),
    appOrigin: TEST_ENV.APP_ORIGIN,
    callApp,
    publicOrigin: SIMULATORS_ORIGIN,
    secrets: {
      basiqWebhookSecret: TEST_ENV.BASIQ_WEBHOOK_SECRET,
      basiqApiKey: TEST_ENV.BASIQ_API_KEY,
      stripeWebhookSecret: TEST_ENV.STRIPE_WEBHOOK_SECRETS,
    },
    timers: {
      after(delayMs, run) {
        const timer = { at: world.clock.now() + delayMs, run };
        timers.push(timer);
        return () => remove(timers, timer);
      },
    },
  });
  const fetch = hosts({ [SIMULATORS_ORIGIN]: simulators });
  const services = testServices({ fetch });
  const world: World = Object.assign(services, {
    bankData: createBasiqBankData({
      baseUrl: TEST_ENV.BASIQ_BASE_URL,
      consentUrl: TEST_ENV.BASIQ_CONSENT_URL,
      apiKey: TEST_ENV.BASIQ_API_KEY,
      fetch,
      clock: services.clock,
      log: services.log,
      timeoutMs: options.timeoutMs,
    }),
    cards: createStripeCards({
      apiBase: TEST_ENV.STRIPE_API_BASE,
      secretKey: TEST_ENV.STRIPE_SECRET_KEY,
      priceId: TEST_ENV.STRIPE_PRICE_ID,
      taxRateId: TEST_ENV.STRIPE_TAX_RATE_ID,
      webhookSecrets: [TEST_ENV.STRIPE_WEBHOOK_SECRETS],
      fetch,
      clock: services.clock,
      timeoutMs: options.timeoutMs,
    }),
    lose,
    pass,
    drain,
    deliver,
    webhook,
    lastWebhook,
    async fault(fault: Fault) {
      const answer = await post("/faults", fault);
      if (answer.status !== 201) throw new Error(await answer.text());
    },
    async clearFaults() {
      await simulators.fetch(new Request(`${SIMULATORS_ORIGIN}/faults`, { method: "DELETE" }));
    },
    async completeAtBank(verificationId: string, persona: string) {
      const answer = await post("/basiq/complete", { verificationId, persona });
      if (!answer.ok) throw new Error(await answer.text());
      await simulators.idle();
    },
    ask: (request: Request) => simulators.fetch(request),
    visit(path: string, form?: Record<string, string>) {
      const init = form && { method: "POST", body: new URLSearchParams(form) };
      return simulators.fetch(new Request(new URL(path, SIMULATORS_ORIGIN), init));
    },
    mails: () => read<Mail[]>("/mail/messages"),
    texts: () => read<{ to: string; body: string }[]>("/sms/messages"),
    async calls(path = "") {
      const entries = await read<{ method: string; path: string; status: number }[]>("/ledger.json?party=basiq");
      return entries.filter((entry) => entry.path.includes(path));
    },
  });
  // All tests share one address and one still clock; the test of a limit sets the scale back.
  world.config.rateLimitScale = 1_000;
  return world;

  async function callApp(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/webhooks/")) {
      if (lose.webhooks) return new Response(null, { status: 200 });
      return webhook(request);
    }
    // A developer's door looks at every organisation, which the watch over our own statements would not forgive.
    const local = await answerLocally(request, { ...world, db: openD1((env as unknown as { DB: D1Database }).DB) });
    if (!local) throw new Error(`the app has no door ${pathname} for the simulators`);
    return local;
  }

  async function webhook(request: Request): Promise<Response> {
    webhooks.push({ url: request.url, headers: [...request.headers], body: await request.clone().text() });
    const origin = { ipAddress: null, userAgent: null, requestId: world.ids.next() };
    const receive = new URL(request.url).pathname === "/webhooks/stripe" ? stripeWebhook : basiqWebhook;
    return (await receive({ request, params: {}, context: { services: world, origin, nonce: "" } })) as Response;
  }

  function lastWebhook(): Request {
    const last = webhooks.at(-1);
    if (!last) throw new Error("no webhook arrived");
    return new Request(last.url, { method: "POST", headers: last.headers, body: last.body });
  }

  async function deliver(queue: QueueName | "dead-letters", body: unknown, by: Services = world) {
    let retried = 0;
    const message = {
      id: crypto.randomUUID(),
      body,
      ack() {},
      retry() {
        retried += 1;
      },
    };
    await consume({ queue, messages: [message] } as unknown as MessageBatch, by);
    await simulators.idle();
    return { retried };
  }

  async function drain(by: Services = world): Promise<void> {
    await simulators.idle();
    for (let hint = world.sent.shift(); hint; hint = world.sent.shift()) {
      const { queue, jobId, delaySeconds = 0 } = hint;
      if (delaySeconds > 0) {
        const message = {
          at: world.clock.now() + delaySeconds * 1000,
          run: () => void world.sent.push({ queue, jobId }),
        };
        timers.push(message);
      } else await deliver(queue, { jobId, v: 1 }, by);
    }
  }

  async function pass(ms: number): Promise<void> {
    const until = world.clock.now() + ms;
    await drain();
    for (let next = nextTimer(until); next; next = nextTimer(until)) {
      world.clock.advance(Math.max(0, next.at - world.clock.now()));
      await next.run();
      await drain();
    }
    world.clock.advance(until - world.clock.now());
  }

  function nextTimer(until: number): Timer | undefined {
    const [first] = timers.filter((timer) => timer.at <= until).sort((a, b) => a.at - b.at);
    if (first) remove(timers, first);
    return first;
  }

  function post(path: string, body: unknown): Promise<Response> {
    const headers = { "content-type": "application/json" };
    return simulators.fetch(
      new Request(SIMULATORS_ORIGIN + path, { method: "POST", headers, body: JSON.stringify(body) }),
    );
  }

  async function read<T>(path: string): Promise<T> {
    return (await simulators.fetch(new Request(SIMULATORS_ORIGIN + path))).json() as Promise<T>;
  }
}

function remove<T>(items: T[], item: T): void {
  const index = items.indexOf(item);
  if (index >= 0) items.splice(index, 1);
}
