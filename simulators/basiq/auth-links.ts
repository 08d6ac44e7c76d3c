import type { SimulatedCall, SimulatorContext } from "../party";
import { badRequest, basiqError, notFound } from "./errors";
import type { AuthLink, BasiqState, User } from "./state";

const LINK_DAYS = 7;
const LINK_MS = LINK_DAYS * 24 * 60 * 60 * 1000;

/** The newest link of a user is the only valid one, for seven days. */
export function validAuthLink(state: BasiqState, now: number, linkId: string): AuthLink | undefined {
  const link = state.authLinks.find(({ id }) => id === linkId);
  return link && now < link.createdAt + LINK_MS ? link : undefined;
}

export function createAuthLinks(state: BasiqState, context: SimulatorContext) {
  const wire = ({ id, userId, mobile, createdAt }: AuthLink) => ({
    id,
    type: "auth_link",
    userId,
    mobile,
    expiresAt: new Date(createdAt + LINK_MS).toISOString(),
    links: {
      public: `${context.publicOrigin}/basiq/connect/${id}`,
      self: `${context.publicOrigin}/basiq/users/${userId}/auth_link`,
    },
  });
  const forget = (userId: string) => {
    state.authLinks = state.authLinks.filter((link) => link.userId !== userId);
  };
  return {
    create(call: SimulatedCall, user: User): Response {
      const mobile = parseMobile(call.body) ?? user.mobile;
      if (!mobile) return badRequest(call, "Required field mobile was not supplied.", "mobile");
      forget(user.id);
      const link = { id: context.randomId(), userId: user.id, mobile, createdAt: context.now() };
      state.authLinks.push(link);
      context.save();
      return Response.json(wire(link), { status: 201 });
    },
    show(call: SimulatedCall, user: User): Response {
      const link = state.authLinks.find(({ userId }) => userId === user.id);
      if (!link) return notFound(call);
      if (validAuthLink(state, context.now(), link.id)) return Response.json(wire(link));
      return basiqError(call, 410, { code: "resource-no-longer-available", detail: "Auth link has expired." });
    },
    delete(user: User): Response {
      forget(user.id);
      context.save();
      return new Response(null, { status: 204 });
    },
  };
}

function parseMobile(body: string): string | undefined {
  try {
    const { mobile } = JSON.parse(body) as { mobile?: unknown };
    return typeof mobile === "string" ? mobile : undefined;
  } catch {
    return undefined;
  }
}
