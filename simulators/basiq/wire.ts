import { connectorName } from "./connectors";
import type { Account, BasiqState, Connection, Consent, Event, Identity, Job } from "./state";

const CONSENT_MS = 365 * 24 * 60 * 60 * 1000;
const STEPS = ["verify-credentials", "retrieve-accounts", "retrieve-transactions"];
const SCOPES = ["ACCOUNT.BASIC", "ACCOUNT.DETAIL", "CUSTOMER", "ORGANISATION"];

/** Rows as the provider writes them. `base` is the address of the simulated API. */
export const createWire = (base: string, state: BasiqState) => ({ ...bankWire(base, state), ...accessWire(base) });

export type Wire = ReturnType<typeof createWire>;

const iso = (at: number) => new Date(at).toISOString();
const userUrlOn = (base: string) => (userId: string) => `${base}/users/${userId}`;

/** What the bank gives: connections, jobs, accounts and identities. */
function bankWire(base: string, state: BasiqState) {
  const userUrl = userUrlOn(base);
  const connectionOf = (connectionId: string) => state.connections.find(({ id }) => id === connectionId);
  const institutionOf = (connectionId: string) => connectionOf(connectionId)?.institutionId ?? "";
  return {
    connection: (connection: Connection) => writeConnection(connection, userUrl(connection.userId)),

    job(job: Job) {
      const source = `${userUrl(job.userId)}/connections/${job.connectionId}`;
      return {
        type: "job",
        id: job.id,
        created: iso(job.createdAt),
        updated: iso(job.updatedAt),
        jobType: "connection",
        institution: { id: institutionOf(job.connectionId) },
        steps: STEPS.map((title) => toStep(title, job, userUrl(job.userId), institutionOf(job.connectionId))),
        links: { self: `${base}/jobs/${job.id}`, source },
      };
    },

    account: ({ id, userId, connectionId, ...facts }: Account) => ({
      type: "account",
      id,
      ...facts,
      currency: "AUD",
      balance: null,
      availableFunds: null,
      connection: connectionId,
      institution: institutionOf(connectionId),
      lastUpdated: iso(connectionOf(connectionId)?.createdAt ?? 0),
      transactionIntervals: [],
      links: {
        self: `${userUrl(userId)}/accounts/${id}`,
        institution: `${base}/institutions/${institutionOf(connectionId)}`,
      },
    }),

    identity: ({ id, userId, connectionId, ...facts }: Identity) => ({
      type: "identity",
      id,
      ...facts,
      connectionID: connectionId,
      institutionId: institutionOf(connectionId),
      source: "open-banking",
      links: { self: `${userUrl(userId)}/identities/${id}` },
    }),
  };
}

const writeConnection = ({ id, institutionId, status, createdAt }: Connection, userUrl: string) => ({
  type: "connection",
  id,
  method: "open-banking",
  status,
  createdDate: iso(createdAt),
  lastUsed: iso(createdAt),
  expiryDate: iso(createdAt + CONSENT_MS),
  institution: { type: "institution", id: institutionId, name: connectorName(institutionId) },
  links: { self: `${userUrl}/connections/${id}`, accounts: `${userUrl}/accounts`, user: userUrl },
});

/** What the provider keeps about access: consents and events. */
function accessWire(base: string) {
  const userUrl = userUrlOn(base);
  return {
    consent: ({ id, userId, status, createdAt, updatedAt }: Consent) => ({
      type: "consent",
      id,
      created: iso(createdAt),
      updated: iso(updatedAt),
      expiryDate: iso(createdAt + CONSENT_MS),
      origin: "basiq",
      status,
      data: {
        retainData: false,
        permissions: SCOPES.map((scope) => ({ scope, required: true, consented: true, entity: "cdr" })),
      },
      links: { self: `${userUrl(userId)}/consents/${id}` },
    }),

    event: ({ id, eventType, userId, entityPath, createdAt }: Event) => ({
      type: "event",
      id,
      entity: eventType.split(".")[0],
      eventType,
      userId,
      createdTime: iso(createdAt),
      data: {},
      links: { self: `${base}/events/${id}`, eventEntity: base + entityPath },
    }),
  };
}

/** Before the end all steps are pending, then the first is in progress; a failed step leaves those after it pending. */
function toStep(title: string, { ending, finishedAt, polls }: Job, userUrl: string, institutionId: string) {
  if (finishedAt === null) {
    return { title, status: title === STEPS[0] && polls > 1 ? "in-progress" : "pending", result: null };
  }
  if (ending.kind === "failure") {
    const { step, code, title: reason, detail } = ending;
    if (title === step) return { title, status: "failed", result: { type: "error", code, title: reason, detail } };
    return { title, status: STEPS.indexOf(title) < STEPS.indexOf(step) ? "success" : "pending", result: null };
  }
  const url = `${userUrl}/accounts?filter=institution.id.eq('${institutionId}')`;
  return { title, status: "success", result: title === "retrieve-accounts" ? { type: "link", url } : null };
}
