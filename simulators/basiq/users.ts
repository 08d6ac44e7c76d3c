import * as z from "zod";
import type { SimulatedCall, SimulatorContext } from "../party";
import { badRequest } from "./errors";
import { addEvent, type BasiqState, deleteUser, type User } from "./state";

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

export function createUsers(state: BasiqState, context: SimulatorContext) {
  const wire = (user: User) => {
    const { createdAt, ...fields } = user;
    const self = `${context.publicOrigin}/basiq/users/${user.id}`;
    const createdDate = new Date(createdAt).toISOString();
    return {
      type: "user",
      ...fields,
      createdDate,
      links: { self, accounts: `${self}/accounts`, connections: `${self}/connections` },
    };
  };
  /** Such events are listed; the app is not told of them, as when its webhook does not ask for their kind. */
  const remember = (eventType: string, userId: string) =>
    addEvent(state, {
      id: context.randomId(),
      eventType,
      userId,
      entityPath: `/users/${userId}`,
      createdAt: context.now(),
    });
  return {
    create(call: SimulatedCall): Response {
      const body = parseUser(call);
      if (body instanceof Response) return body;
      const user: User = { id: context.randomId(), ...body, createdAt: context.now() };
      state.users[user.id] = user;
      remember("user.created", user.id);
      context.save();
      return Response.json(wire(user), { status: 201 });
    },
    show: (user: User): Response => Response.json(wire(user)),
    update(call: SimulatedCall, user: User): Response {
      const body = parseUser(call, user);
      if (body instanceof Response) return body;
      Object.assign(user, body);
      context.save();
      return Response.json(wire(user));
    },
    delete(user: User): Response {
      deleteUser(state, user.id);
      remember("user.deleted", user.id);
      context.save();
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
