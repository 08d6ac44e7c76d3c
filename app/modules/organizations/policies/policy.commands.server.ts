import { isPreconditionError } from "@db/errors";
import { precondition } from "@db/precondition";
import { organizationPolicies } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import type { Actor } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import type { Services } from "~/services";
import { commitAct } from "../administration/administration.server";
import type { Policy } from "./policy";
import { findPolicyState } from "./policy.queries.server";
import { changedPolicies } from "./policy-form";

/**
 * Changes what the actor's organisation has decided for itself; every difference goes into the trail, old -> new.
 * @param input.version what `findPolicyState` said when the form was made
 * @throws AppError 409 POLICY_CHANGED when somebody else has changed it since
 * @returns whether anything changed
 */
export async function changePolicy(
  services: Pick<Services, "db" | "clock" | "ids" | "queues">,
  actor: Actor,
  { version, policy }: { version: number; policy: Policy },
): Promise<boolean> {
  const { db, clock } = services;
  const { organizationId } = actor;
  const before = await findPolicyState(services, organizationId);
  if (before.version !== version) throw changed();
  const details = changedPolicies(before.policy, policy);
  if (Object.keys(details).length === 0) return false;
  // Later than the version it replaces, whatever the clock says.
  const row = { ...policy, updatedAt: Math.max(clock.now(), version + 1) };
  try {
    await commitAct(services, actor, {
      organizationId,
      statements: [
        precondition(db, whileVersion(organizationId, version)),
        db
          .insert(organizationPolicies)
          .values({ organizationId, ...row })
          .onConflictDoUpdate({ target: organizationPolicies.organizationId, set: row }),
      ],
      entry: {
        action: "organization.policy_changed",
        entityType: "organization",
        entityId: organizationId,
        details,
      },
    });
  } catch (error) {
    throw isPreconditionError(error) ? changed() : error;
  }
  return true;
}

function whileVersion(organizationId: string, version: number) {
  const mine = eq(organizationPolicies.organizationId, organizationId);
  return version === 0
    ? sql`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM ${organizationPolicies} WHERE ${mine})`
    : sql`SELECT 1 FROM ${organizationPolicies} WHERE ${and(mine, eq(organizationPolicies.updatedAt, version))}`;
}

const changed = () =>
  new AppError(
    "POLICY_CHANGED",
    409,
    "Somebody else changed the policies a moment ago. Nothing of yours was saved: reload the page and look first.",
  );
