import { createBasiqBankData } from "~/adapters/bank-data/basiq";
import { createHttpMail } from "~/adapters/mail/http-mail";
import { createTwilioSms } from "~/adapters/sms/twilio-sms";
import type { BankCheck } from "./basiq/app-door";
import { createMemoryStore, createSimulators, hosts } from "./index";
import type { SimulatorState } from "./store";

const APP = "http://127.0.0.1:8787";
const SIMULATORS = "http://127.0.0.1:8788";
export const WEBHOOK_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
export const STRIPE_WEBHOOK_SECRET = "whsec_0123456789abcdef";
const API_KEY = "cGF5ZWVwcm9vZjpsb2NhbA==";
const START = Date.UTC(2026, 10, 20, 1, 0, 0);

/** The JSON of an answer, of the shape that the test expects. */
export async function jsonOf<T>(answer: Response | Promise<Response>): Promise<T> {
  return (await (await answer).json()) as T;
}

/** A list of the bank-data interface. */
export type List = { data: Record<string, string>[] };

type Delivery = { headers: Headers; body: string };

type Timer = { at: number; run: () => void };

export type BenchOptions = {
  pageSize?: number;
  /** Timers that run as soon as they are set, the clock moving with them; else a test runs them one by one. */
  impatient?: boolean;
  state?: SimulatorState;
  timeoutMs?: number;
};

/** The simulators, the adapters that talk to them, and an app that knows bank checks and takes webhooks. For tests. */
export function createBench(options: BenchOptions = {}) {
  let nowMs = START;
  let ids = 0;
  const timers: Timer[] = [];
  const checks: BankCheck[] = [];
  const deliveries: Delivery[] = [];
  const app = {
    /** What the app answers to a webhook. */
    webhookStatus: 200,
    /** Runs before each look through the app's local door. */
    onDoor: () => {},
    async fetch(request: Request): Promise<Response> {
      const url = new URL(request.url);
      if (url.pathname.startsWith("/webhooks/")) {
        deliveries.push({ headers: request.headers, body: await request.text() });
        return new Response(null, { status: app.webhookStatus });
      }
      app.onDoor();
      const wantedUser = url.searchParams.get("providerUserId");
      const wantedId = url.pathname.split("/").at(-1);
      const check = checks.find((known) =>
        wantedUser ? known.providerUserId === wantedUser : known.verificationId === wantedId,
      );
      return check ? Response.json(check) : Response.json({ message: "Not found" }, { status: 404 });
    },
  };
  const state = options.state ?? {};
  const simulators = createSimulators({
    store: createMemoryStore(state),
    now: () => nowMs,
    randomId: () => `id-${++ids}`,
    appOrigin: APP,
    callApp: hosts({ [APP]: app }),
    publicOrigin: SIMULATORS,
    secrets: { basiqWebhookSecret: WEBHOOK_SECRET, basiqApiKey: API_KEY, stripeWebhookSecret: STRIPE_WEBHOOK_SECRET },
    pageSize: options.pageSize,
    timers: {
      after(delayMs, run) {
        if (options.impatient) {
          nowMs += delayMs;
          queueMicrotask(run);
          return () => {};
        }
        const timer = { at: nowMs + delayMs, run };
        timers.push(timer);
        return () => {
          timers.splice(timers.indexOf(timer), 1);
        };
      },
    },
  });
  const fetch = hosts({ [SIMULATORS]: simulators });
  const clock = { now: () => nowMs };
  const wire = { fetch, clock, timeoutMs: options.timeoutMs };
  const warnings: { event: string; fields?: Record<string, unknown> }[] = [];

  return {
    simulators,
    fetch,
    clock,
    state,
    app,
    checks,
    deliveries,
    warnings,
    bankData: createBasiqBankData({
      ...wire,
      baseUrl: `${SIMULATORS}/basiq`,
      consentUrl: `${SIMULATORS}/basiq/consent/home`,
      apiKey: API_KEY,
      log: { warn: (event, fields) => warnings.push({ event, fields }) },
    }),
    mail: createHttpMail({
      ...wire,
      baseUrl: `${SIMULATORS}/mail`,
      apiKey: "re_local",
      from: "PayeeProof <no-reply@payeeproof.example>",
    }),
    sms: createTwilioSms({
      ...wire,
      baseUrl: `${SIMULATORS}/sms`,
      accountSid: "AC0001",
      authToken: "local",
      sender: { from: "PayeeProof" },
    }),
    advance(byMs: number) {
      nowMs += byMs;
    },
    /** Runs the timer that is due first, at its time; answers how long that took. */
    async runNextTimer(): Promise<number> {
      const next = timers.reduce<Timer | undefined>(
        (first, timer) => (first && first.at <= timer.at ? first : timer),
        undefined,
      );
      if (!next) throw new Error("No timer is set");
      timers.splice(timers.indexOf(next), 1);
      const waited = Math.max(next.at - nowMs, 0);
      nowMs += waited;
      next.run();
      await simulators.idle();
      return waited;
    },
    timersSet: () => timers.length,
    get: (path: string) => simulators.fetch(new Request(SIMULATORS + path)),
    postJson: (path: string, body: unknown) =>
      simulators.fetch(
        new Request(SIMULATORS + path, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        }),
      ),
    postForm: (path: string, form: Record<string, string>) =>
      simulators.fetch(new Request(SIMULATORS + path, { method: "POST", body: new URLSearchParams(form) })),
    /** Calls the bank-data interface with a server token, as its documentation shows. */
    async api() {
      const token = await buyToken(fetch);
      return (method: string, path: string, body?: unknown) =>
        fetch(
          new Request(`${SIMULATORS}/basiq${path}`, {
            method,
            headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
            body: body === undefined ? undefined : JSON.stringify(body),
          }),
        );
    },
    /** A check the app has started: its provider user exists and the door knows it. */
    async startCheck(overrides: Partial<BankCheck> = {}): Promise<BankCheck & { providerUserId: string }> {
      const { providerUserId } = await this.bankData.createUser({ email: "payee@example.com" }, "check-1");
      const check = {
        verificationId: `verification-${checks.length + 1}`,
        state: "state-1",
        submitted: { accountName: "Acme Pty Ltd", bsb: "062000", accountNumber: "012345678" },
        payee: { name: "Acme", abn: "51824753556" },
        ...overrides,
        providerUserId,
      };
      checks.push(check);
      return check;
    },
  };
}

async function buyToken(fetch: (request: Request) => Promise<Response>): Promise<string> {
  const answer = await fetch(
    new Request(`${SIMULATORS}/basiq/token`, {
      method: "POST",
      headers: { authorization: `Basic ${API_KEY}`, "basiq-version": "3.0" },
      body: "scope=SERVER_ACCESS",
    }),
  );
  return (await jsonOf<{ access_token: string }>(answer)).access_token;
}
