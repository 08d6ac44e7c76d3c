import type { SimulatorContext } from "../party";

export type User = {
  id: string;
  email?: string;
  mobile?: string;
  firstName?: string;
  middleName?: string;
  lastName?: string;
  businessName?: string;
  businessIdNo?: string;
  businessIdNoType?: string;
  createdAt: number;
};

export type Token = { scope: "SERVER_ACCESS" | "CLIENT_ACCESS"; userId?: string; expiresAt: number };

export type Connection = {
  id: string;
  userId: string;
  institutionId: string;
  status: "pending" | "active" | "invalid";
  createdAt: number;
};

/** How a job will end once it has been polled, or waited for, long enough. */
export type JobEnding =
  | { kind: "success" }
  | { kind: "failure"; step: string; code: string; title: string; detail: string }
  | { kind: "never" };

export type Job = {
  id: string;
  userId: string;
  connectionId: string;
  createdAt: number;
  updatedAt: number;
  polls: number;
  ending: JobEnding;
  finishedAt: number | null;
};

/** A bank's data about an account, in the provider's format. */
export type AccountFacts = {
  name: string;
  accountNo: string;
  bsb?: string;
  unmaskedAccNum?: string;
  maskedNumber: string;
  accountHolder: string | null;
  accountOwnership: "ONE_PARTY" | "TWO_PARTY";
  isOwned: boolean;
  class: { type: string; product: string };
  status: "available" | "unavailable";
};

export type IdentityFacts = {
  fullName: string | null;
  organisation?: { businessName: string; legalName: string; abn: string | null };
};

export type Account = AccountFacts & { id: string; userId: string; connectionId: string };
export type Identity = IdentityFacts & { id: string; userId: string; connectionId: string };

export type Consent = {
  id: string;
  userId: string;
  status: "active" | "revoked";
  createdAt: number;
  updatedAt: number;
};

export type AuthLink = { id: string; userId: string; mobile: string; createdAt: number };

export type Event = {
  id: string;
  /** As webhooks call it: "consent.revoked". */
  eventType: string;
  userId: string;
  entityPath: string;
  createdAt: number;
  /** What it is about, as it was then. */
  data?: object;
};

export type BasiqState = {
  users: Record<string, User>;
  tokens: Record<string, Token>;
  connections: Connection[];
  jobs: Job[];
  accounts: Account[];
  identities: Identity[];
  consents: Consent[];
  authLinks: AuthLink[];
  events: Event[];
};

const KEPT_EVENTS = 5_000;

export function basiqState(context: Pick<SimulatorContext, "slice">): BasiqState {
  return context.slice<BasiqState>("basiq", () => ({
    users: {},
    tokens: {},
    connections: [],
    jobs: [],
    accounts: [],
    identities: [],
    consents: [],
    authLinks: [],
    events: [],
  }));
}

export function addEvent(state: BasiqState, event: Event): void {
  state.events.push(event);
  if (state.events.length > KEPT_EVENTS) state.events.splice(0, state.events.length - KEPT_EVENTS);
}

/** Deleting a user deletes everything the provider knows of them. */
export function deleteUser(state: BasiqState, userId: string): void {
  delete state.users[userId];
  const isOther = (row: { userId: string }) => row.userId !== userId;
  state.connections = state.connections.filter(isOther);
  state.jobs = state.jobs.filter(isOther);
  state.accounts = state.accounts.filter(isOther);
  state.identities = state.identities.filter(isOther);
  state.consents = state.consents.filter(isOther);
  state.authLinks = state.authLinks.filter(isOther);
}
