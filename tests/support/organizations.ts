import { organizationUsers, outsideMessages, sessions, users } from "@db/database";
import { and, eq } from "drizzle-orm";
import type { MemberChange } from "~/modules/accounts/members/members";
import { changeMember } from "~/modules/accounts/members/members.server";
import type { Actor } from "~/services-and-actor";
import { aMember, anOrganization } from "./factories";
import { peek } from "./payees";
import type { TestServices } from "./services";

/** An organisation with its admin, and the other people that a test asks for. */
export async function anAdministration(services: TestServices, name = "Harbour Joinery") {
  const organization = await anOrganization(services, { name });
  const admin = await aMember(services, { organization, role: "admin", firstName: "Ada" });
  const add = (who: Parameters<typeof aMember>[1] = {}) => aMember(services, { ...who, organization });
  return { organization, admin, add };
}

/** A person's membership of an organisation, and what their own row says. */
export async function standingOf(organizationId: string, userId: string) {
  const [row] = await peek
    .select({
      role: organizationUsers.role,
      status: organizationUsers.status,
      account: { role: users.role, status: users.status, organizationId: users.organizationId },
    })
    .from(organizationUsers)
    .innerJoin(users, eq(users.id, organizationUsers.userId))
    .where(and(eq(organizationUsers.organizationId, organizationId), eq(organizationUsers.userId, userId)));
  if (!row) throw new Error("not a member");
  return row;
}

export const change = (services: TestServices, admin: Actor, who: { userId: string }, what: MemberChange) =>
  changeMember(services, admin, { organizationId: admin.organizationId, userId: who.userId, change: what });

export const sessionsOf = (userId: string) => peek.select().from(sessions).where(eq(sessions.userId, userId));

/** Records recent messages from an organisation to strangers, each to a different one. */
export async function haveSent(
  services: TestServices,
  organizationId: string,
  count: number,
  { reportedAt }: { reportedAt?: number } = {},
): Promise<void> {
  const row = () => ({
    id: services.ids.next(),
    organizationId,
    kind: "invitation" as const,
    recipientHash: services.ids.next(),
    createdAt: services.clock.now(),
    reportedAt,
  });
  for (let left = count; left > 0; left -= 15) {
    await peek.insert(outsideMessages).values(Array.from({ length: Math.min(left, 15) }, row));
  }
}
