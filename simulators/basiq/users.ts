import * as z from "zod";
import type { SimulatedCall, SimulatorContext } from "../party";
import { badRequest } from "./errors";
import { type BasiqState, deleteUser, type User } from "./state";
import type { WebhookSender } from "./webhooks";
import type { Wire } from "./wire";

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

type UserBody = z.infer<typeof userSchema>;

export function createUsers(
  state: BasiqState,
  context: SimulatorContext,
  { webhooks, wire }: { webhooks: WebhookSender; wire: Wire },
) {
  const tell = (eventType: string, user: User) =>
    webhooks.emit(eventType, user.id, { path: `/users/${user.id}`, data: wire.newUser(user) });
  return {
    create(call: SimulatedCall): Response {
      const body = parseUser(call);
      if (body instanceof Response) return body;
      const user: User = { id: context.randomId(), ...body, createdAt: context.now() };
      state.users[user.id] = user;
      tell("user.created", user);
      return Response.json(wire.newUser(user), { status: 201 });
    },
    show: (user: User): Response => Response.json(wire.user(user)),
    update(call: SimulatedCall, user: User): Response {
      const body = parseUser(call, user);
      if (body instanceof Response) return body;
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

function parseUser(call: SimulatedCall, known: Partial<User> = {}): UserBody | Response {
  let json: unknown;
  try {
    json = JSON.parse(call.body);
  } catch {
    return badRequest(call, "Posted request not valid.");
  }
  const parsed = userSchema.safeParse(json);
  if (!parsed.success) return badRequest(call, "Posted request not valid.");
  const body = { ...known, ...parsed.data };
  if (!body.email && !body.mobile) return badRequest(call, "One of 'email' or 'mobile' is required.", "email");
  if (body.email && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(body.email)) {
    return badRequest(call, "Provided email is in bad format.", "email");
  }
  if (body.mobile && !/^\+\d{8,15}$/.test(body.mobile)) {
    return badRequest(call, "Provided mobile is in bad format.", "mobile");
  }
  if (body.businessIdNo && !body.businessName) {
    return badRequest(call, "Business name is required when business number is provided.", "businessName");
  }
  return parsed.data;
}
