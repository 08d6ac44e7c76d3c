import { basiqParty } from "./basiq/party";
import { answerWithFault } from "./control/apply-fault";
import { createControl } from "./control/control";
import { createFaults } from "./control/faults";
import { createLedger } from "./control/ledger";
import { mailParty } from "./mail/party";
import type { Party, SimulatedCall, SimulatorContext, SimulatorSecrets, Timers } from "./party";
import { smsParty } from "./sms/party";
import type { SimulatorState, SimulatorStore } from "./store";
import { stripeParty } from "./stripe/party";

export { hosts } from "./hosts";
export type { Timers } from "./party";
export { createMemoryStore, type SimulatorStore } from "./store";

/** One line per party: its folder does the rest. */
const PARTIES: readonly ((context: SimulatorContext) => Party)[] = [basiqParty, stripeParty, mailParty, smsParty];

export type SimulatorsOptions = {
  store: SimulatorStore;
  /** Epoch milliseconds. */
  now: () => number;
  randomId: () => string;
  /** Where the app answers, without a trailing slash. */
  appOrigin: string;
  /** Delivers webhooks to the app and reads its local doors. */
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
  const control = createControl(context, parties, faults, ledger);

  async function answerAppCall(party: Party, call: SimulatedCall): Promise<Response> {
    const entry = ledger.open(party.name, call, party.summarise?.(call));
    const fault = faults.take(party.name, { path: call.url.pathname, body: call.body });
    const answer = fault ? await answerWithFault(fault, party, call, context.timers) : await party.handle(call);
    ledger.close(entry, answer.status, fault?.fault);
    return answer;
  }

  return async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    // Not text(): in workerd it warns of every form.
    const body = new TextDecoder().decode(await request.arrayBuffer());
    const call = { request, url, path: url.pathname, body, correlationId: context.randomId() };
    const party = parties.find(({ name }) => url.pathname === `/${name}` || url.pathname.startsWith(`/${name}/`));
    if (!party)
      return (await control(call)) ?? Response.json({ message: "Nothing is simulated here" }, { status: 404 });
    const own = { ...call, path: url.pathname.slice(party.name.length + 1) };
    return party.isAppCall(own) ? answerAppCall(party, own) : party.handle(own);
  };
}

const realTimers: Timers = {
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
