import { organizationPolicies } from "@db/schema";
import { and, eq, sql } from "drizzle-orm";
import type { Actor } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { WriteServices } from "~/services";
import type { Policy } from "./policy";
import { findPolicyState } from "./policy.queries.server";
import { changedPolicies } from "./policy-form";

/**
 * Changes what the actor's organisation has decided for itself; every difference goes into the trail, old -> new.
 * @param input.version what `findPolicyState` said when the form was made
 * @throws AppError 409 POLICY_CHANGED when another person has changed it since
 * @returns whether anything changed
 */
export async function changePolicy(
  services: WriteServices,
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
  const result = await runCommand(services, actor, {
    conditions: [policyIsAt(organizationId, version)],
    statements: [
      db
        .insert(organizationPolicies)
        .values({ organizationId, ...row })
        .onConflictDoUpdate({ target: organizationPolicies.organizationId, set: row }),
    ],
    audit: [{ action: "organization.policy_changed", entityType: "organization", entityId: organizationId, details }],
    answer: true,
  });
  if (!result.ok) throw changed();
  return result.answer;
}

/** Nobody has changed the policies since this version was read. */
function policyIsAt(organizationId: string, version: number) {
  const mine = eq(organizationPolicies.organizationId, organizationId);
  const found =
    version === 0
      ? sql`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM ${organizationPolicies} WHERE ${mine})`
      : sql`SELECT 1 FROM ${organizationPolicies} WHERE ${and(mine, eq(organizationPolicies.updatedAt, version))}`;
  return { name: "policy_changed" as const, found };
}

const changed = () =>
  new AppError(
    "POLICY_CHANGED",
    409,
    "Someone else changed the policies a moment ago. Nothing of yours was saved: reload the page and look first.",
  );
