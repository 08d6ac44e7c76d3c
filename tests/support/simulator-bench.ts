import type { BankCheck } from "@simulators/basiq/find-bank-check";
import { createMemoryStore, createSimulators, hosts } from "@simulators/index";
import type { SimulatorState } from "@simulators/store";
import { createMyob } from "~/adapters/accounting/myob";
import { createXero } from "~/adapters/accounting/xero";
import { createBasiqBankData } from "~/adapters/bank-data/basiq";
import { createCopBankData } from "~/adapters/bank-data/cop";
import { createAbr } from "~/adapters/business-register/abr";
import { createStripeCards } from "~/adapters/cards/stripe";
import { createDomainRecords } from "~/adapters/dns/dns-over-https";
import { createRdap } from "~/adapters/domain-registry/rdap";
import { createHttpMail } from "~/adapters/mail/http-mail";
import { createTwilioSms } from "~/adapters/sms/twilio-sms";
import { createHttpsWebhook } from "~/adapters/webhooks/https-webhook";
import type { Log } from "~/services-and-actor";
import { aClock, type TestClock } from "./clock";
import { SIMULATORS_ORIGIN, TEST_ENV } from "./test-env";

const START = Date.UTC(2026, 10, 20, 1, 0, 0);

/** The JSON of an answer, of the shape that the test expects. */
export async function jsonOf<T>(answer: Response | Promise<Response>): Promise<T> {
  return (await (await answer).json()) as T;
}

/** A list of the bank-data interface. */
export type List = { data: Record<string, string>[] };

/** The simulators with an app beside them that knows bank checks and takes webhooks, and nothing else. For their own tests. */
export function createBench(options: Pick<HarnessOptions, "pageSize" | "impatient" | "state" | "timeoutMs"> = {}) {
  let ids = 0;
  const clock = aClock(START);
  const app = createApp();
  const state = options.state ?? {};
  const warnings: { event: string; fields?: Record<string, unknown> }[] = [];
  const harness = createHarness({
    ...options,
    clock,
    state,
    callApp: hosts({ [TEST_ENV.APP_ORIGIN]: app }),
    randomId: () => `id-${++ids}`,
    log: { warn: (event, fields) => warnings.push({ event, fields }) },
  });
  const { bankData, fetch, simulators, timers } = harness;

  return {
    ...harness,
    clock,
    state,
    app,
    checks: app.checks,
    deliveries: app.deliveries,
    warnings,
    advance: (byMs: number) => clock.advance(byMs),
    /** Runs the timer that is due first, at its time. @returns how far the clock moved */
    async runNextTimer(): Promise<number> {
      const waited = await timers.runNext();
      if (waited === undefined) throw new Error("No timer is set");
      await simulators.idle();
      return waited;
    },
    timersSet: () => timers.count(),
    api: () => openApi(fetch),
    /** A check that the app has started: the provider has its user, and the app finds it. */
    async startCheck(overrides: Partial<BankCheck> = {}): Promise<BankCheck & { providerUserId: string }> {
      const { providerUserId } = await bankData.createUser({ email: "payee@example.com" }, "check-1");
      const check = {
        verificationId: `verification-${app.checks.length + 1}`,
        state: "state-1",
        submitted: { accountName: "Acme Pty Ltd", bsb: "062000", accountNumber: "012345678" },
        payee: { name: "Acme", abn: "51824753556" },
        ...overrides,
        providerUserId,
      };
      app.checks.push(check);
      return check;
    },
  };
}

/** Calls the bank-data interface with a server token, as its documentation shows. */
async function openApi(fetch: (request: Request) => Promise<Response>) {
  const token = await buyToken(fetch);
  return (method: string, path: string, body?: unknown) =>
    fetch(
      new Request(`${TEST_ENV.BASIQ_BASE_URL}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: body === undefined ? undefined : JSON.stringify(body),
      }),
    );
}

/** The app as the simulators see it. */
function createApp() {
  const checks: BankCheck[] = [];
  const deliveries: { headers: Headers; body: string }[] = [];
  const app = {
    checks,
    deliveries,
    /** What it answers to a webhook. */
    webhookStatus: 200,
    /** Runs before it looks for a bank check. */
    beforeLookUp: () => {},
    async fetch(request: Request): Promise<Response> {
      const url = new URL(request.url);
      if (url.pathname.startsWith("/webhooks/")) {
        deliveries.push({ headers: request.headers, body: await request.text() });
        return new Response(null, { status: app.webhookStatus });
      }
      app.beforeLookUp();
      const wantedUser = url.searchParams.get("providerUserId");
      const wantedId = url.pathname.split("/").at(-1);
      const check = checks.find((known) =>
        wantedUser ? known.providerUserId === wantedUser : known.verificationId === wantedId,
      );
      return check ? Response.json(check) : Response.json({ message: "Not found" }, { status: 404 });
    },
  };
  return app;
}

/** For the second service that asks banks: only tests about it set it up. */
export const AZUPAY_KEY = "SECR_test";

async function buyToken(fetch: (request: Request) => Promise<Response>): Promise<string> {
  const answer = await fetch(
    new Request(`${TEST_ENV.BASIQ_BASE_URL}/token`, {
      method: "POST",
      headers: { authorization: `Basic ${TEST_ENV.BASIQ_API_KEY}`, "basiq-version": "3.0" },
      body: "scope=SERVER_ACCESS",
    }),
  );
  return (await jsonOf<{ access_token: string }>(answer)).access_token;
}

type Timer = { at: number; run: () => void | Promise<void> };

type HarnessOptions = {
  clock: TestClock;
  log: Pick<Log, "warn">;
  /** Answers what the simulators ask of the app. */
  callApp: (request: Request) => Promise<Response>;
  randomId?: () => string;
  state?: SimulatorState;
  pageSize?: number;
  /** How long the adapters wait for an answer. */
  timeoutMs?: number;
  /** Timers run as soon as they are set, and move the clock; else a test runs them one by one. */
  impatient?: boolean;
};

/**
 * The simulators in this process, on a clock that stands still, and the adapters that talk to them over the real wire
 * format. For tests in Node and in workerd.
 */
export function createHarness(options: HarnessOptions) {
  const { clock, log, timeoutMs } = options;
  const timers = createTimers(clock, options.impatient ?? false);
  const simulators = createSimulators({
    store: createMemoryStore(options.state),
    now: () => clock.now(),
    randomId: options.randomId ?? (() => crypto.randomUUID()),
    appOrigin: TEST_ENV.APP_ORIGIN,
    callApp: options.callApp,
    publicOrigin: SIMULATORS_ORIGIN,
    secrets: {
      basiqWebhookSecret: TEST_ENV.BASIQ_WEBHOOK_SECRET,
      basiqApiKey: TEST_ENV.BASIQ_API_KEY,
      copToken: TEST_ENV.COP_TOKEN,
      azupayKey: AZUPAY_KEY,
      stripeWebhookSecret: TEST_ENV.STRIPE_WEBHOOK_SECRETS,
      mailWebhookSecret: TEST_ENV.MAIL_WEBHOOK_SECRETS,
      xeroClientSecret: TEST_ENV.XERO_CLIENT_SECRET,
      xeroWebhookKey: TEST_ENV.XERO_WEBHOOK_KEYS,
      myobClientSecret: TEST_ENV.MYOB_CLIENT_SECRET,
    },
    pageSize: options.pageSize,
    timers,
  });
  const fetch = hosts({ [SIMULATORS_ORIGIN]: simulators });
  /** A path, or a URL from the simulators. */
  const send = (to: string, init?: RequestInit) => simulators.fetch(new Request(new URL(to, SIMULATORS_ORIGIN), init));
  return {
    simulators,
    fetch,
    timers,
    ...createAdapters({ fetch, clock, timeoutMs }, log),
    get: (path: string) => send(path),
    postJson: (path: string, body: unknown) =>
      send(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    postForm: (path: string, form: Record<string, string>) =>
      send(path, { method: "POST", body: new URLSearchParams(form) }),
  };
}

type Wire = { fetch: (request: Request) => Promise<Response>; clock: TestClock; timeoutMs?: number };

function createAdapters(wire: Wire, log: Pick<Log, "warn">) {
  return {
    bankData: createBasiqBankData({
      ...wire,
      baseUrl: TEST_ENV.BASIQ_BASE_URL,
      consentUrl: TEST_ENV.BASIQ_CONSENT_URL,
      apiKey: TEST_ENV.BASIQ_API_KEY,
      log,
    }),
    instantBankData: createCopBankData({
      ...wire,
      baseUrl: TEST_ENV.COP_BASE_URL,
      token: TEST_ENV.COP_TOKEN,
      apiVersion: "20260101",
    }),
    cards: createStripeCards({
      ...wire,
      apiBase: TEST_ENV.STRIPE_API_BASE,
      secretKey: TEST_ENV.STRIPE_SECRET_KEY,
      priceId: TEST_ENV.STRIPE_PRICE_ID,
      taxRateId: TEST_ENV.STRIPE_TAX_RATE_ID,
      webhookSecrets: [TEST_ENV.STRIPE_WEBHOOK_SECRETS],
    }),
    mail: createHttpMail({
      ...wire,
      baseUrl: TEST_ENV.MAIL_BASE_URL,
      apiKey: TEST_ENV.MAIL_API_KEY,
      from: TEST_ENV.MAIL_FROM,
    }),
    businessRegister: createAbr({ ...wire, baseUrl: TEST_ENV.ABR_BASE_URL, guids: [TEST_ENV.ABR_GUID] }),
    domainRecords: createDomainRecords({ ...wire, resolverUrl: TEST_ENV.DOMAIN_DNS_URL }),
    domainRegistry: createRdap({ ...wire, baseUrl: TEST_ENV.RDAP_URL }),
    webhooks: createHttpsWebhook({
      ...wire,
      resolverUrl: TEST_ENV.DNS_RESOLVER_URL,
      relayUrl: TEST_ENV.WEBHOOK_RELAY_URL,
    }),
    accounting: {
      xero: createXero({
        ...wire,
        authorizeUrl: TEST_ENV.XERO_AUTHORIZE_URL,
        identityUrl: TEST_ENV.XERO_IDENTITY_URL,
        apiUrl: TEST_ENV.XERO_API_URL,
        clientId: TEST_ENV.XERO_CLIENT_ID,
        clientSecret: TEST_ENV.XERO_CLIENT_SECRET,
      }),
      myob: createMyob({
        ...wire,
        authorizeUrl: TEST_ENV.MYOB_AUTHORIZE_URL,
        tokenUrl: TEST_ENV.MYOB_TOKEN_URL,
        apiUrl: TEST_ENV.MYOB_API_URL,
        clientId: TEST_ENV.MYOB_CLIENT_ID,
        clientSecret: TEST_ENV.MYOB_CLIENT_SECRET,
      }),
    },
    sms: createTwilioSms({
      ...wire,
      baseUrl: TEST_ENV.SMS_BASE_URL,
      accountSid: TEST_ENV.SMS_ACCOUNT_SID,
      authToken: TEST_ENV.SMS_AUTH_TOKEN,
      sender: { from: TEST_ENV.SMS_FROM },
    }),
  };
}

/** Timers that nobody but the test runs. */
function createTimers(clock: TestClock, impatient: boolean) {
  const waiting: Timer[] = [];
  const remove = (timer: Timer) => {
    const index = waiting.indexOf(timer);
    if (index >= 0) waiting.splice(index, 1);
  };
  return {
    after(delayMs: number, run: () => void | Promise<void>) {
      if (impatient) {
        clock.advance(delayMs);
        queueMicrotask(run);
        return () => {};
      }
      const timer = { at: clock.now() + delayMs, run };
      waiting.push(timer);
      return () => remove(timer);
    },
    /** How many are set. */
    count: () => waiting.length,
    /**
     * Advances the clock to the next timer and runs it.
     * @param until skips timers that are due later than this instant
     * @returns how far the clock moved; undefined if no timer was due
     */
    async runNext(until = Number.POSITIVE_INFINITY): Promise<number | undefined> {
      const [first] = waiting.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
      if (!first) return undefined;
      remove(first);
      const waited = Math.max(first.at - clock.now(), 0);
      clock.advance(waited);
      await first.run();
      return waited;
    },
  };
}
