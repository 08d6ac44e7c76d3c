import { Hono, type MiddlewareHandler } from "hono";
import { abrParty } from "./abr/party";
import { azupayParty } from "./azupay/party";
import { basiqParty } from "./basiq/party";
import { answerWithFault } from "./control/apply-fault";
import { createControl } from "./control/control";
import { createFaults, type Faults } from "./control/faults";
import { createLedger, type Ledger } from "./control/ledger";
import { copParty } from "./cop/party";
import { dnsParty } from "./dns/party";
import { identityParty } from "./identity/party";
import { mailParty } from "./mail/party";
import { myobParty } from "./myob/party";
import type { CallEnv, Party, SimulatedCall, SimulatorContext, SimulatorSecrets, Timers } from "./party";
import { rdapParty } from "./rdap/party";
import { receiverParty } from "./receiver/party";
import { sendersParty } from "./senders/party";
import { smsParty } from "./sms/party";
import type { SimulatorState, SimulatorStore } from "./store";
import { stripeParty } from "./stripe/party";
import { xeroParty } from "./xero/party";

export { hosts } from "./hosts";
export { createMemoryStore } from "./store";

/** One line per party: its folder does the rest. */
const PARTIES: readonly ((context: SimulatorContext) => Party)[] = [
  basiqParty,
  copParty,
  azupayParty,
  stripeParty,
  mailParty,
  sendersParty,
  smsParty,
  abrParty,
  dnsParty,
  rdapParty,
  receiverParty,
  xeroParty,
  myobParty,
  identityParty,
];

export type SimulatorsOptions = {
  store: SimulatorStore;
  /** Epoch milliseconds. */
  now: () => number;
  randomId: () => string;
  /** Where the app answers, without a trailing slash. */
  appOrigin: string;
  /** Delivers webhooks to the app and looks up bank checks. */
  callApp: (request: Request) => Promise<Response>;
  /** Where the simulators answer, without a trailing slash. */
  publicOrigin: string;
  secrets: SimulatorSecrets;
  /** Default: real ones. */
  timers?: Timers;
  /** Items per page of a list. Default 100. */
  pageSize?: number;
};

export interface Simulators {
  fetch(request: Request): Promise<Response>;
  /** Resolves when no delivery to the app is under way (one that waits for its retry is not). */
  idle(): Promise<void>;
}

const DEFAULT_PAGE_SIZE = 100;

/** Stand-ins for every outside party, on one origin. */
export function createSimulators(options: SimulatorsOptions): Simulators {
  const underway = new Set<Promise<unknown>>();
  const handler = options.store.load().then((state) => createHandler(options, state ?? {}, underway));
  return {
    fetch: async (request) => (await handler)(request),
    async idle() {
      await handler;
      while (underway.size > 0) await Promise.allSettled(underway);
    },
  };
}

function createHandler(options: SimulatorsOptions, state: SimulatorState, underway: Set<Promise<unknown>>) {
  const context: SimulatorContext = {
    ...options,
    timers: options.timers ?? realTimers,
    pageSize: options.pageSize ?? DEFAULT_PAGE_SIZE,
    slice<T>(name: string, initial: () => T): T {
      state[name] ??= initial();
      return state[name] as T;
    },
    save: () => options.store.save(state),
    background(work) {
      const tracked = work.finally(() => underway.delete(tracked));
      underway.add(tracked);
    },
  };
  const parties = PARTIES.map((create) => create(context));
  const faults = createFaults(context);
  const ledger = createLedger(context);
  const app = new Hono<CallEnv>();

  // Every browser requests it with a page, and reports a missing one as an error.
  app.get("*", (c, next) => (c.req.path.endsWith("/favicon.ico") ? c.body(null, 204) : next()));
  app.use(async (c, next) => {
    c.set("call", await readCall(c.req.raw, context));
    await next();
  });
  for (const party of parties) {
    app.use(`/${party.name}/*`, receiveCalls(party, { faults, ledger, timers: context.timers }));
    app.route(`/${party.name}`, party.app);
  }
  app.route("/", createControl(context, parties, faults, ledger));
  app.notFound(() => Response.json({ message: "Nothing is simulated here" }, { status: 404 }));
  app.onError((error) => {
    throw error;
  });
  return async (request: Request): Promise<Response> => app.fetch(request);
}

async function readCall(request: Request, context: SimulatorContext): Promise<SimulatedCall> {
  const url = new URL(request.url);
  // Not text(), which warns about every form in workerd.
  const body = new TextDecoder().decode(await request.arrayBuffer());
  return { request, url, path: url.pathname, body, correlationId: context.randomId() };
}

type Control = { faults: Faults; ledger: Ledger; timers: Timers };

/** Writes a call of the app into the ledger, and answers it with the fault that waits for it, if there is one. */
function receiveCalls(party: Party, { faults, ledger, timers }: Control): MiddlewareHandler<CallEnv> {
  return async (c, next) => {
    const whole = c.get("call");
    const call = { ...whole, path: whole.url.pathname.slice(party.name.length + 1) };
    c.set("call", call);
    if (!party.isAppCall(call)) return next();
    const entry = ledger.open(party.name, call, party.summarise?.(call));
    const fault = faults.take(party.name, { path: call.url.pathname, body: call.body });
    const answer = async () => {
      await next();
      return c.res;
    };
    const answered = fault ? await answerWithFault(fault, { party, call, timers, answer }) : await answer();
    // Set again, because Hono copies the previous answer's headers to one that replaces it.
    c.res = undefined;
    c.res = answered;
    ledger.close(entry, answered.status, fault?.fault);
  };
}

const realTimers: Timers = {
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
