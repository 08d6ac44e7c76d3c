import type { SimulatorContext } from "../party";
import type { BankCheck } from "./find-bank-check";
import { type Persona, tellStory } from "./personas";
import type { BasiqState, Connection, Consent, Job } from "./state";
import type { WebhookSender } from "./webhooks";
import { createWire, type Wire } from "./wire";

/** A job is pending at first, then in progress, and finished at the third poll, or after this time. */
const POLLS_TO_FINISH = 3;
const FINISHES_AFTER_MS = 2_000;

type Decision = {
  userId: string;
  persona: Persona;
  institutionId: string;
  check: Pick<BankCheck, "submitted" | "payee">;
  /** For scripts: the job is finished before the answer. */
  atOnce?: boolean;
};

export interface Bank {
  /** The consequences of the payee's answer to the bank: consent, connection, job and finally the accounts. */
  decide(decision: Decision): Job;
  /** Counts a poll of a job, which may finish it. */
  poll(job: Job): void;
  revoke(consentId: string): void;
}

export function createBank(state: BasiqState, context: SimulatorContext, webhooks: WebhookSender): Bank {
  const provider: Provider = { state, context, webhooks, wire: createWire(`${context.publicOrigin}/basiq`, state) };
  const finishNow = (job: Job) => finish(job, provider);
  return {
    decide(decision) {
      const job = openConnection(decision, provider);
      const follow = decision.persona === "withdrawn" ? () => withdraw(job.userId) : () => finishNow(job);
      if (decision.atOnce) follow();
      else context.timers.after(FINISHES_AFTER_MS, follow);
      context.save();
      return job;
    },
    poll(job) {
      job.polls += 1;
      if (job.polls >= POLLS_TO_FINISH) finishNow(job);
      context.save();
    },
    revoke(consentId) {
      const consent = state.consents.find(({ id }) => id === consentId);
      if (consent) revoke(consent);
    },
  };

  function withdraw(userId: string): void {
    for (const consent of state.consents.filter((each) => each.userId === userId)) revoke(consent);
  }

  function revoke(consent: Consent): void {
    if (consent.status === "revoked") return;
    consent.status = "revoked";
    consent.updatedAt = context.now();
    for (const connection of state.connections) {
      if (connection.userId === consent.userId) connection.status = "invalid";
    }
    tellOfConsent("consent.revoked", consent, provider);
  }
}

type Provider = { state: BasiqState; context: SimulatorContext; webhooks: WebhookSender; wire: Wire };

function tellOfConsent(eventType: string, consent: Consent, { webhooks, wire }: Provider): void {
  const path = `/users/${consent.userId}/consents/${consent.id}`;
  webhooks.emit(eventType, consent.userId, { path, data: wire.consent(consent) });
}

function tellOfConnection(eventType: string, connection: Connection, { webhooks, wire }: Provider): void {
  const path = `/users/${connection.userId}/connections/${connection.id}`;
  webhooks.emit(eventType, connection.userId, { path, data: wire.connection(connection) });
}

/** The connection, its job, the consent, and the accounts that are shown once the job is done. */
function openConnection({ userId, persona, institutionId, check }: Decision, provider: Provider): Job {
  const { state, context } = provider;
  const { ending, accounts, identity } = tellStory(persona, check);
  const now = context.now();
  const owner = { userId, connectionId: context.randomId() };
  const connection: Connection = { id: owner.connectionId, userId, institutionId, status: "pending", createdAt: now };
  const job: Job = {
    id: context.randomId(),
    ...owner,
    createdAt: now,
    updatedAt: now,
    polls: 0,
    ending,
    finishedAt: null,
  };
  state.connections.push(connection);
  state.jobs.push(job);
  if (persona !== "refused") {
    const consent = { id: context.randomId(), userId, status: "active" as const, createdAt: now, updatedAt: now };
    state.consents.push(consent);
    tellOfConsent("consent.created", consent, provider);
  }
  if (ending.kind === "success") {
    state.accounts.push(...accounts.map((facts) => ({ id: context.randomId(), ...owner, ...facts })));
    state.identities.push({ id: context.randomId(), ...owner, ...identity });
  }
  tellOfConnection("connection.created", connection, provider);
  return job;
}

function finish(job: Job, provider: Provider): void {
  const { state, context, webhooks, wire } = provider;
  const connection = state.connections.find(({ id }) => id === job.connectionId);
  if (!connection || job.finishedAt !== null || job.ending.kind === "never") return;
  job.finishedAt = job.updatedAt = context.now();
  const succeeded = job.ending.kind === "success";
  connection.status = succeeded ? "active" : "invalid";
  context.save();
  tellOfConnection(succeeded ? "connection.activated" : "connection.invalidated", connection, provider);
  const [account] = sharedRows(state, state.accounts, job.userId);
  if (!succeeded || !account) return;
  const path = `/users/${job.userId}/accounts/${account.id}`;
  webhooks.emit("account.updated", job.userId, { path, data: wire.account(account) });
}

/** The bank's data is there once the connection is; a connection that failed or was revoked shows nothing. */
export function sharedRows<T extends { userId: string; connectionId: string }>(
  state: BasiqState,
  rows: readonly T[],
  userId: string,
): T[] {
  const active = new Set(
    state.connections.filter((connection) => connection.status === "active").map((connection) => connection.id),
  );
  return rows.filter((row) => row.userId === userId && active.has(row.connectionId));
}
