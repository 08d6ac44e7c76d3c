import { redirect } from "@remix-run/cloudflare";
import { AppError, notFound } from "~/kernel/app-error";
import { isId } from "~/kernel/ids";
import type { Actor, Person } from "~/modules/identity/actor";
import type { RequestScope } from "./context.server";
import { findPerson } from "./session.server";

type Scope = RequestScope & { request: Request };

/** A page's guard: signed-out people go to /auth and come back to where they were (own paths only). */
export async function requirePerson(scope: Scope): Promise<Person> {
  const person = await findPerson(scope);
  if (person) return person;
  const { pathname, search } = new URL(scope.request.url);
  const back =
    scope.request.method === "GET" && pathname !== "/dashboard" ? `?next=${encodeURIComponent(pathname + search)}` : "";
  throw redirect(`/auth${back}`);
}

/** A call's guard: signed-out people get 401. */
export async function requireApiPerson(scope: Scope): Promise<Person> {
  const person = await findPerson(scope);
  if (!person) throw new AppError("SIGNED_OUT", 401, "Sign in first.");
  return person;
}

/** Whose rooms an active person without an organisation looks into: nobody's, so lists are empty and ids missing. */
const NO_ORGANIZATION = { organizationId: "", organizationName: "" };

/**
 * The person as someone who may look into their organisation's rooms.
 * @throws AppError 403 ACCOUNT_PENDING, ACCOUNT_REJECTED
 */
export function asMember(person: Person): Actor {
  if (person.status === "pending") {
    throw new AppError("ACCOUNT_PENDING", 403, "Your account is waiting for approval by your organisation.");
  }
  if (person.status === "rejected") {
    throw new AppError("ACCOUNT_REJECTED", 403, "Your organisation did not approve your account.");
  }
  const { organizationId, organizationName } = person;
  if (organizationId === null || organizationName === null) return { ...person, ...NO_ORGANIZATION };
  return { ...person, organizationId, organizationName };
}

/** The member as someone who may change things. @throws AppError 403 ORGANIZATION_REQUIRED, READ_ONLY */
export function asWriter(person: Person): Actor {
  const actor = asMember(person);
  if (actor.organizationId === NO_ORGANIZATION.organizationId) {
    throw new AppError("ORGANIZATION_REQUIRED", 403, "Join or create an organisation first.");
  }
  if (actor.role === "read_only") {
    throw new AppError("READ_ONLY", 403, "You can look at everything here, but your role does not let you change it.");
  }
  return actor;
}

/** Guards of pages and calls, in one word each. */
export const pageMember = async (scope: Scope): Promise<Actor> => asMember(await requirePerson(scope));
export const pageWriter = async (scope: Scope): Promise<Actor> => asWriter(await requirePerson(scope));
export const apiMember = async (scope: Scope): Promise<Actor> => asMember(await requireApiPerson(scope));
export const apiWriter = async (scope: Scope): Promise<Actor> => asWriter(await requireApiPerson(scope));

/** A path's id; a malformed one is answered as a missing one. */
export function idParam(params: Record<string, string | undefined>, name = "id"): string {
  const value = params[name];
  if (value === undefined || !isId(value)) throw notFound();
  return value;
}
