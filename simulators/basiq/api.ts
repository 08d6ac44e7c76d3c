import * as z from "zod";
import type { SimulatedCall, SimulatorContext } from "../party";
import { type Route, route } from "../routes";
import { createAuthLinks } from "./auth-links";
import { type Bank, sharedRows } from "./bank";
import { listConnectors } from "./connectors";
import { badRequest, notFound } from "./errors";
import { type BasiqState, deleteUser, type User } from "./state";
import type { Tokens } from "./tokens";
import { SUBSCRIBED_EVENTS, type WebhookSender } from "./webhooks";
import { createWire, type Wire, writeConnector } from "./wire";

const word = z.string().max(500).optional();
const userSchema = z.object({
  email: word,
  mobile: word,
  firstName: word,
  middleName: word,
  lastName: word,
  businessName: word,
  businessIdNo: word,
  businessIdNoType: word,
});

function createUsers(
  state: BasiqState,
  context: SimulatorContext,
  { webhooks, wire }: { webhooks: WebhookSender; wire: Wire },
) {
  const tell = (eventType: string, user: User) =>
    webhooks.emit(eventType, user.id, { path: `/users/${user.id}`, data: wire.newUser(user) });
  return {
    create(call: SimulatedCall): Response {
      const body = parseUser(call);
      const user: User = { id: context.randomId(), ...body, createdAt: context.now() };
      state.users[user.id] = user;
      tell("user.created", user);
      return Response.json(wire.newUser(user), { status: 201 });
    },
    show: (user: User): Response => Response.json(wire.user(user)),
    update(call: SimulatedCall, user: User): Response {
      const body = parseUser(call, user);
      Object.assign(user, body);
      tell("user.updated", user);
      return Response.json(wire.newUser(user));
    },
    delete(user: User): Response {
      deleteUser(state, user.id);
      tell("user.deleted", user);
      return new Response(null, { status: 204 });
    },
  };
}

/** Throws the refusal for an unknown user. */
function parseUser(call: SimulatedCall, known: Partial<User> = {}): z.infer<typeof userSchema> {
  let json: unknown;
  try {
    json = JSON.parse(call.body);
  } catch {
    throw badRequest(call, "Posted request not valid.");
  }
  const parsed = userSchema.safeParse(json);
  if (!parsed.success) throw badRequest(call, "Posted request not valid.");
  const body = { ...known, ...parsed.data };
  if (!body.email && !body.mobile) throw badRequest(call, "One of 'email' or 'mobile' is required.", "email");
  if (body.email && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(body.email)) {
    throw badRequest(call, "Provided email is in bad format.", "email");
  }
  if (body.mobile && !/^\+\d{8,15}$/.test(body.mobile)) {
    throw badRequest(call, "Provided mobile is in bad format.", "mobile");
  }
  if (body.businessIdNo && !body.businessName) {
    throw badRequest(call, "Business name is required when business number is provided.", "businessName");
  }
  return parsed.data;
}

const FILTER = /^([a-z.]+)\.(eq|ne)\('([^']*)'\)$/i;
const MAX_LIMIT = 500;

/** How a list reports its total: each of the provider's lists differs, and most do not at all. */
type Counted = "count" | "size" | "totalCount";

/** One page of a list: `limit` items from `next`, and the address of the page after it. */
function listAnswer(call: SimulatedCall, context: SimulatorContext, items: readonly object[], ...counted: Counted[]) {
  const { searchParams, pathname } = call.url;
  const limit = Math.min(Number(searchParams.get("limit")) || context.pageSize, MAX_LIMIT);
  const from = Number(searchParams.get("next")) || 0;
  const self = new URL(context.publicOrigin + pathname);
  for (const [name, value] of searchParams) self.searchParams.set(name, value);
  const next = new URL(self);
  next.searchParams.set("next", String(from + limit));
  const data = items.slice(from, from + limit);
  const numbers: Record<Counted, number> = { count: data.length, size: items.length, totalCount: items.length };
  return Response.json({
    type: "list",
    ...Object.fromEntries(counted.map((name) => [name, numbers[name]])),
    data,
    links: { self: self.toString(), ...(from + limit < items.length && { next: next.toString() }) },
  });
}

/** A list that reports its total, but neither its own address nor a next page. */
const wholeList = (data: readonly object[]): Response => Response.json({ type: "list", count: data.length, data });

/** `filter=connection.id.eq('8fce3b')`: conditions joined by commas, all of which must hold. */
function passesFilter(call: SimulatedCall, values: Record<string, string>): boolean {
  const conditions = (call.url.searchParams.get("filter") ?? "").split(",").filter(Boolean);
  return conditions.every((condition) => {
    const [, property = "", operator, wanted] = FILTER.exec(condition.trim()) ?? [];
    const equal = values[property] === wanted;
    return operator === "ne" ? !equal : equal;
  });
}

/** How long jobs and events are listed. */
const LISTED_MS = 7 * 24 * 60 * 60 * 1000;

type Params = Record<string, string>;
type UserHandler = (call: SimulatedCall, user: User, params: Params) => Response;

/** The provider's interface as far as the product uses it (api.basiq.io/reference). */
export function apiRoutes(
  state: BasiqState,
  context: SimulatorContext,
  { tokens, bank, webhooks }: { tokens: Tokens; bank: Bank; webhooks: WebhookSender },
): Route[] {
  const api: Api = {
    state,
    context,
    bank,
    webhooks,
    wire: createWire(`${context.publicOrigin}/basiq`, state),
    guarded: (method, path, handle) =>
      route(method, path, (call, params) => tokens.refuse(call) ?? handle(call, params)),
    ofUser: (method, path, handle) =>
      api.guarded(method, `/users/:userId${path}`, (call, params) => {
        const user = Object.hasOwn(state.users, params.userId ?? "") ? state.users[params.userId ?? ""] : undefined;
        return user ? handle(call, user, params) : notFound(call, "User does not exist.");
      }),
  };
  return [
    route("POST", "/token", (call) => tokens.answer(call)),
    ...userRoutes(api),
    ...jobRoutes(api),
    ...accountRoutes(api),
    ...consentRoutes(api),
    ...noticeRoutes(api),
  ];
}

type Api = {
  state: BasiqState;
  context: SimulatorContext;
  bank: Bank;
  webhooks: WebhookSender;
  wire: Wire;
  /** A route that asks for a server token. */
  guarded(method: string, path: string, handle: (call: SimulatedCall, params: Params) => Response): Route;
  /** The same below /users/:userId, for a user that is there. */
  ofUser(method: string, path: string, handle: UserHandler): Route;
};

const ownOf = <T extends { userId: string }>(rows: readonly T[], user: User) =>
  rows.filter((row) => row.userId === user.id);

function answerOne<T extends { id: string }>(
  call: SimulatedCall,
  rows: readonly T[],
  id: string | undefined,
  show: (row: T) => object,
): Response {
  const row = rows.find((candidate) => candidate.id === id);
  return row ? Response.json(show(row)) : notFound(call);
}

const isListed = (context: SimulatorContext, { createdAt }: { createdAt: number }) =>
  context.now() - createdAt < LISTED_MS;

function userRoutes({ state, context, webhooks, wire, guarded, ofUser }: Api): Route[] {
  const users = createUsers(state, context, { webhooks, wire });
  const authLinks = createAuthLinks(state, context);
  return [
    guarded("POST", "/users", (call) => users.create(call)),
    ofUser("GET", "", (_, user) => users.show(user)),
    ofUser("POST", "", (call, user) => users.update(call, user)),
    ofUser("DELETE", "", (_, user) => users.delete(user)),
    ofUser("POST", "/auth_link", (call, user) => authLinks.create(call, user)),
    ofUser("GET", "/auth_link", (call, user) => authLinks.show(call, user)),
    ofUser("DELETE", "/auth_link", (_, user) => authLinks.delete(user)),
  ];
}

function jobRoutes({ state, context, bank, wire, guarded, ofUser }: Api): Route[] {
  return [
    ofUser("GET", "/jobs", (call, user) => {
      const jobs = ownOf(state.jobs, user).filter(
        (job) => isListed(context, job) && passesFilter(call, { "connection.id": job.connectionId }),
      );
      for (const job of jobs) bank.poll(job);
      return listAnswer(call, context, jobs.map(wire.listedJob), "size");
    }),
    guarded("GET", "/jobs/:jobId", (call, { jobId }) => {
      const job = state.jobs.find(({ id }) => id === jobId);
      if (job) bank.poll(job);
      return job ? Response.json(wire.job(job)) : notFound(call);
    }),
  ];
}

function accountRoutes({ state, context, wire, ofUser }: Api): Route[] {
  const accountsOf = (user: User) => sharedRows(state, state.accounts, user.id);
  const identitiesOf = (user: User) => sharedRows(state, state.identities, user.id);
  return [
    ofUser("GET", "/connections", (call, user) =>
      listAnswer(call, context, ownOf(state.connections, user).map(wire.connection)),
    ),
    ofUser("GET", "/connections/:id", (call, user, { id }) =>
      answerOne(call, ownOf(state.connections, user), id, wire.oneConnection),
    ),
    ofUser("GET", "/accounts", (call, user) => {
      const wanted = accountsOf(user)
        .map(wire.account)
        .filter(({ id, connection, institution }) =>
          passesFilter(call, { "account.id": id, "connection.id": connection, "institution.id": institution }),
        );
      return listAnswer(call, context, wanted);
    }),
    ofUser("GET", "/accounts/:id", (call, user, { id }) => answerOne(call, accountsOf(user), id, wire.account)),
    ofUser("GET", "/identities", (_, user) => wholeList(identitiesOf(user).map(wire.identity))),
    ofUser("GET", "/identities/:id", (call, user, { id }) => answerOne(call, identitiesOf(user), id, wire.identity)),
  ];
}

function consentRoutes({ state, context, bank, wire, ofUser }: Api): Route[] {
  return [
    ofUser("GET", "/consents", (call, user) => {
      const consents = ownOf(state.consents, user);
      return consents.length > 0 ? listAnswer(call, context, consents.map(wire.consent), "size") : notFound(call);
    }),
    ofUser("DELETE", "/consents/:id", (call, user, { id = "" }) => {
      if (!ownOf(state.consents, user).some((consent) => consent.id === id)) return notFound(call);
      bank.revoke(id);
      return new Response(null, { status: 204 });
    }),
  ];
}

/** Events, the banks there are, and where events are sent. */
function noticeRoutes({ state, context, wire, guarded }: Api): Route[] {
  const base = `${context.publicOrigin}/basiq`;
  const webhook = {
    type: "webhook",
    id: "local",
    name: "PayeeProof",
    description: "What happens to payees at their banks",
    url: `${context.appOrigin}/webhooks/basiq`,
    status: "active",
    subscribedEvents: SUBSCRIBED_EVENTS,
    links: { self: `${base}/notifications/webhooks/local` },
  };
  return [
    guarded("GET", "/events", (call) => {
      const listed = state.events.filter((event) => {
        const [entity = "", happened = ""] = event.eventType.split(".");
        const values = { "user.id": event.userId, "event.entity": entity, "event.type": happened };
        return isListed(context, event) && passesFilter(call, values);
      });
      return listAnswer(call, context, listed.reverse().map(wire.event));
    }),
    guarded("GET", "/events/:id", (call, { id }) => answerOne(call, state.events, id, wire.event)),
    guarded("GET", "/connectors", (call) => {
      const connectors = listConnectors().map((connector) => writeConnector(connector, base));
      return listAnswer(call, context, connectors, "totalCount");
    }),
    guarded("GET", "/notifications/webhooks", (call) => listAnswer(call, context, [webhook], "size", "count")),
  ];
}
