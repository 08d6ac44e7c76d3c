import type { Person } from "~/kernel/actor";
import { listPendingOrganizations } from "~/modules/organizations/organization.queries.server";
import type { Services } from "~/services";
import { toUserJson, type UserJson } from "./user.json";

/** The user that GET /api/user answers, and every call that returns the user. */
export async function describeUser(services: Pick<Services, "db">, person: Person): Promise<UserJson> {
  return toUserJson(person, await listPendingOrganizations(services, person));
}
