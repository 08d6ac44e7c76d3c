import { aClock } from "../tests/support/clock";
import { TEST_ENV } from "../tests/support/test-env";
import type { BankCheck } from "./basiq/find-bank-check";
import { hosts } from "./index";
import { createHarness, type HarnessOptions } from "./test-harness";

const START = Date.UTC(2026, 10, 20, 1, 0, 0);

/** The JSON of an answer, of the shape that the test expects. */
export async function jsonOf<T>(answer: Response | Promise<Response>): Promise<T> {
  return (await (await answer).json()) as T;
}

/** A list of the bank-data interface. */
export type List = { data: Record<string, string>[] };

export type BenchOptions = Pick<HarnessOptions, "pageSize" | "impatient" | "state" | "timeoutMs">;

/** The simulators with an app beside them that knows bank checks and takes webhooks, and nothing else. For their own tests. */
export function createBench(options: BenchOptions = {}) {
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
    /** Runs the timer that is due first, at its time; answers how long that took. */
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
