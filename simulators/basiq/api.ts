import type { SimulatedCall, SimulatorContext } from "../party";
import { type Route, route } from "../routes";
import { createAuthLinks } from "./auth-links";
import { type Bank, sharedRows } from "./bank";
import { connectorWire } from "./connectors";
import { notFound } from "./errors";
import { listAnswer, passesFilter } from "./lists";
import type { BasiqState, User } from "./state";
import type { Tokens } from "./tokens";
import { createUsers } from "./users";
import { createWire } from "./wire";

type Params = Record<string, string>;
type UserHandler = (call: SimulatedCall, user: User, params: Params) => Response;

/** The provider's interface as far as the product uses it (api.basiq.io/reference). */
export function apiRoutes(state: BasiqState, context: SimulatorContext, tokens: Tokens, bank: Bank): Route[] {
  const users = createUsers(state, context);
  const authLinks = createAuthLinks(state, context);
  const wire = createWire(`${context.publicOrigin}/basiq`, state);

  const guarded = (method: string, path: string, handle: (call: SimulatedCall, params: Params) => Response) =>
    route(method, path, (call, params) => tokens.refuse(call) ?? handle(call, params));
  const ofUser = (method: string, path: string, handle: UserHandler) =>
    guarded(method, `/users/:userId${path}`, (call, params) => {
      const user = Object.hasOwn(state.users, params.userId ?? "") ? state.users[params.userId ?? ""] : undefined;
      return user ? handle(call, user, params) : notFound(call, "User does not exist.");
    });
  const ownOf = <T extends { userId: string }>(rows: readonly T[], user: User) =>
    rows.filter((row) => row.userId === user.id);
  const oneOf = <T extends { id: string }>(
    call: SimulatedCall,
    rows: readonly T[],
    id: string | undefined,
    show: (row: T) => object,
  ) => {
    const row = rows.find((candidate) => candidate.id === id);
    return row ? Response.json(show(row)) : notFound(call);
  };
  const accountsOf = (call: SimulatedCall, user: User) =>
    sharedRows(state, state.accounts, user.id)
      .map(wire.account)
      .filter(({ id, connection, institution }) =>
        passesFilter(call, { "account.id": id, "connection.id": connection, "institution.id": institution }),
      );

  return [
    route("POST", "/token", (call) => tokens.answer(call)),
    guarded("POST", "/users", (call) => users.create(call)),
    ofUser("GET", "", (_, user) => users.show(user)),
    ofUser("POST", "", (call, user) => users.update(call, user)),
    ofUser("DELETE", "", (_, user) => users.delete(user)),
    ofUser("POST", "/auth_link", (call, user) => authLinks.create(call, user)),
    ofUser("GET", "/auth_link", (call, user) => authLinks.show(call, user)),
    ofUser("DELETE", "/auth_link", (_, user) => authLinks.delete(user)),

    ofUser("GET", "/jobs", (call, user) => {
      const jobs = ownOf(state.jobs, user).filter((job) => passesFilter(call, { "connection.id": job.connectionId }));
      for (const job of jobs) bank.poll(job);
      return listAnswer(call, context, jobs.map(wire.job));
    }),
    guarded("GET", "/jobs/:jobId", (call, { jobId }) => {
      const job = state.jobs.find(({ id }) => id === jobId);
      if (job) bank.poll(job);
      return job ? Response.json(wire.job(job)) : notFound(call);
    }),

    ofUser("GET", "/connections", (call, user) =>
      listAnswer(call, context, ownOf(state.connections, user).map(wire.connection)),
    ),
    ofUser("GET", "/connections/:id", (call, user, { id }) =>
      oneOf(call, ownOf(state.connections, user), id, wire.connection),
    ),
    ofUser("GET", "/accounts", (call, user) => listAnswer(call, context, accountsOf(call, user))),
    ofUser("GET", "/accounts/:id", (call, user, { id }) =>
      oneOf(call, sharedRows(state, state.accounts, user.id), id, wire.account),
    ),
    ofUser("GET", "/identities", (call, user) =>
      listAnswer(call, context, sharedRows(state, state.identities, user.id).map(wire.identity)),
    ),
    ofUser("GET", "/identities/:id", (call, user, { id }) =>
      oneOf(call, sharedRows(state, state.identities, user.id), id, wire.identity),
    ),

    ofUser("GET", "/consents", (call, user) => {
      const consents = ownOf(state.consents, user);
      return consents.length > 0 ? listAnswer(call, context, consents.map(wire.consent)) : notFound(call);
    }),
    ofUser("DELETE", "/consents/:id", (call, user, { id = "" }) => {
      if (!ownOf(state.consents, user).some((consent) => consent.id === id)) return notFound(call);
      bank.revoke(id);
      return new Response(null, { status: 204 });
    }),

    guarded("GET", "/events", (call) => listAnswer(call, context, [...state.events].reverse().map(wire.event))),
    guarded("GET", "/events/:id", (call, { id }) => oneOf(call, state.events, id, wire.event)),
    guarded("GET", "/connectors", (call) => listAnswer(call, context, connectorWire(context.publicOrigin))),
    guarded("GET", "/notifications/webhooks", (call) =>
      listAnswer(call, context, [
        {
          type: "webhook",
          id: "local",
          name: "PayeeProof",
          url: `${context.appOrigin}/webhooks/basiq`,
          status: "active",
        },
      ]),
    ),
  ];
}
