import type { Hono } from "hono";

/** A request on its way to a party, its body already read. */
export type SimulatedCall = {
  request: Request;
  url: URL;
  /** Without the party's prefix: "/users" of "/basiq/users"; "" for the prefix itself. */
  path: string;
  body: string;
  /** Created here; used in the party's error bodies and in the ledger. */
  correlationId: string;
};

/** Variables in Hono's context. */
export type CallEnv = { Variables: { call: SimulatedCall } };

/** An outside party: its answers to the app, and the pages on which a person acts for it. */
export interface Party {
  /** Names it in faults and in the ledger, and is its path: "/mail". */
  readonly name: string;
  /** Pages that a person can open, for the front page. */
  readonly links: readonly { href: string; text: string }[];
  /** Calls of the app are written into the ledger and can be made to fail; pages for people and scripts are not. */
  isAppCall(call: SimulatedCall): boolean;
  /** Answers every path below the party's own. */
  readonly app: Hono<CallEnv>;
  /** The party's own error body for a status that a fault asks for. */
  errorAnswer(status: number, call: SimulatedCall): Response;
  /** The same answer, about another payee or customer. */
  asSomebodyElse?(answer: string, call: SimulatedCall): string;
  /** What the ledger keeps of a body; without it, its beginning. */
  summarise?(call: SimulatedCall): string;
}

export interface SimulatorContext {
  /** Epoch milliseconds. */
  now(): number;
  randomId(): string;
  /** Where the app answers, without a trailing slash. */
  readonly appOrigin: string;
  /** Where the simulators answer, without a trailing slash. */
  readonly publicOrigin: string;
  readonly secrets: SimulatorSecrets;
  /** How many items a list returns at once. */
  readonly pageSize: number;
  callApp(request: Request): Promise<Response>;
  readonly timers: Timers;
  /** A part of the state that survives a restart. `initial` is used the first time. */
  slice<T>(name: string, initial: () => T): T;
  /** To be called after every change of a slice. */
  save(): void;
  /** Work that goes on after the answer; `idle()` waits for it. */
  background(work: Promise<unknown>): void;
}

export type SimulatorSecrets = {
  /** "whsec_" and base64: signs the bank-data provider's webhooks. */
  basiqWebhookSecret: string;
  basiqApiKey: string;
  /** Bearer token of Confirmation of Payee. */
  copToken: string;
  azupayKey: string;
  /** "whsec_...": signs the card provider's events. */
  stripeWebhookSecret: string;
  /** "whsec_" and base64: signs the mail provider's reports. */
  mailWebhookSecret: string;
  xeroClientSecret: string;
  /** Signs Xero's webhooks. */
  xeroWebhookKey: string;
  myobClientSecret: string;
};

export interface Timers {
  /** Runs once after a time; the returned function cancels. */
  after(delayMs: number, run: () => void): () => void;
}

export function sleep(timers: Timers, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    timers.after(delayMs, resolve);
  });
}
