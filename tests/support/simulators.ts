import { env } from "cloudflare:workers";
import { openD1 } from "@db/database";
import { answerLocally } from "@workers/local";
import { action as basiqWebhook } from "~/routes/webhooks+/basiq";
import { action as mailWebhook } from "~/routes/webhooks+/mail";
import { action as smsWebhook } from "~/routes/webhooks+/sms";
import { action as stripeWebhook } from "~/routes/webhooks+/stripe";
import { action as xeroWebhook } from "~/routes/webhooks+/xero";
import type { QueueName, Services } from "~/services-and-actor";
import { consume } from "../../workers/queues";
import { aClock } from "./clock";
import { aLog, type TestServices, testServices } from "./services";
import { createHarness } from "./simulator-bench";
import { SIMULATORS_ORIGIN } from "./test-env";

type Fault = {
  party: "basiq" | "cop" | "azupay" | "stripe" | "mail" | "sms" | "abr" | "dns" | "rdap" | "xero" | "myob";
  fault: string;
  times: number;
  path?: string;
  retryAfter?: number;
};
type Mail = { id: string; to: string; subject: string; text: string; links: string[]; headers: Record<string, string> };

export type World = TestServices & {
  /** Moves the clock on, running what falls due on the way: timers of the simulators, delayed messages, queues. */
  pass(ms: number): Promise<void>;
  /** Delivers every message the queues were told of and that is due, until there are none. */
  drain(services?: Services): Promise<void>;
  /** Delivers one message, as many times as this is called. */
  deliver(queue: QueueName | "dead-letters", body: unknown, services?: Services): Promise<{ retried: number }>;
  /** Loses the messages of this kind (webhooks, hints) until told otherwise. */
  lose: { webhooks: boolean };
  fault(fault: Fault): Promise<void>;
  clearFaults(): Promise<void>;
  /** The payee's steps at the bank, on the simulator's pages. */
  completeAtBank(verificationId: string, persona: string, institutionId?: string): Promise<void>;
  mails(): Promise<Mail[]>;
  texts(): Promise<{ to: string; body: string }[]>;
  /** Calls one of the simulators' own pages or endpoints. */
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

const RECEIVERS: Readonly<Record<string, typeof basiqWebhook>> = {
  "/webhooks/mail": mailWebhook,
  "/webhooks/sms": smsWebhook,
  "/webhooks/stripe": stripeWebhook,
  "/webhooks/xero": xeroWebhook,
};

/**
 * Services whose outside parties are simulators in this process, over the real wire format. Nothing happens
 * automatically: `drain` delivers, `pass` advances the time. A call to any other host, or to an unknown endpoint of the
 * app, fails.
 */
export function aWorld(options: { timeoutMs?: number } = {}): World {
  const lose = { webhooks: false };
  const webhooks: { url: string; headers: [string, string][]; body: string }[] = [];

  const [clock, log] = [aClock(), aLog()];
  const harness = createHarness({ clock, log, callApp, timeoutMs: options.timeoutMs });
  const { simulators, timers, fetch, bankData, instantBankData, cards, mail, webhooks: sender } = harness;
  const services = testServices({ fetch, clock, log });
  const { myob } = services.accounting;
  const world: World = Object.assign(services, {
    bankData,
    instantBankData,
    cards,
    mail,
    // The clock is stopped, so the delay between successive calls would be waited for in real time.
    accounting: { ...services.accounting, myob: myob && { ...myob, callEveryMs: myob.callEveryMs && 1 } },
    webhooks: sender,
    lose,
    pass,
    drain,
    deliver,
    webhook,
    lastWebhook,
    async fault(fault: Fault) {
      const answer = await harness.postJson("/faults", fault);
      if (answer.status !== 201) throw new Error(await answer.text());
    },
    async clearFaults() {
      await simulators.fetch(new Request(`${SIMULATORS_ORIGIN}/faults`, { method: "DELETE" }));
    },
    async completeAtBank(verificationId: string, persona: string, institutionId?: string) {
      const answer = await harness.postJson("/basiq/complete", { verificationId, persona, institutionId });
      if (!answer.ok) throw new Error(await answer.text());
      await simulators.idle();
    },
    ask: (request: Request) => simulators.fetch(request),
    visit(path: string, form?: Record<string, string>) {
      return form ? harness.postForm(path, form) : harness.get(path);
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
    // A local endpoint reads every organisation, which the query checks would not allow.
    const local = await answerLocally(request, { ...world, db: openD1((env as unknown as { DB: D1Database }).DB) });
    if (!local) throw new Error(`the app has no endpoint ${pathname} for the simulators`);
    return local;
  }

  async function webhook(request: Request): Promise<Response> {
    webhooks.push({
      url: request.url,
      headers: [...request.headers],
      body: new TextDecoder().decode(await request.clone().arrayBuffer()),
    });
    const origin = { ipAddress: null, userAgent: null, requestId: world.ids.next() };
    const receive = RECEIVERS[new URL(request.url).pathname] ?? basiqWebhook;
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
        timers.after(delaySeconds * 1000, () => void world.sent.push({ queue, jobId }));
      } else await deliver(queue, { jobId, v: 1 }, by);
    }
  }

  async function pass(ms: number): Promise<void> {
    const until = world.clock.now() + ms;
    await drain();
    while ((await timers.runNext(until)) !== undefined) await drain();
    world.clock.advance(until - world.clock.now());
  }

  async function read<T>(path: string): Promise<T> {
    return (await harness.get(path)).json() as Promise<T>;
  }
}
