import { organizations } from "@db/schema";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Actor } from "~/kernel/actor";
import { AppError, invalidInput, notFound } from "~/kernel/app-error";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { WriteServices } from "~/services";
import { changedDetails, DETAIL_FIELDS, type OrganizationDetails } from "./details";
import { findDetails } from "./details.queries.server";

type Change = {
  details: OrganizationDetails;
  /** A new picture, null for none any more; left out: as it is. */
  logo?: string | null;
};

/**
 * Changes what the actor's organisation tells about itself. Nothing is written where nothing changes.
 * @throws AppError 400 beside `subdomain` when it is taken; 409 DETAILS_CHANGED when another person changed them meanwhile, so that the audit entry's "from" is true
 * @returns whether anything changed
 */
export async function changeDetails(
  services: WriteServices,
  actor: Actor,
  { details, logo }: Change,
): Promise<boolean> {
  const { db, clock } = services;
  const { organizationId } = actor;
  const before = await findDetails(services, organizationId);
  if (!before) throw notFound();
  const changed = changedDetails(before.details, details);
  const hasNewLogo = logo !== undefined && logo !== before.logo;
  if (Object.keys(changed).length === 0 && !hasNewLogo) return false;
  const asRead = DETAIL_FIELDS.map((field) => {
    const value = before.details[field];
    return value === null ? isNull(organizations[field]) : eq(organizations[field], value);
  });
  const here = eq(organizations.id, organizationId);
  const still = db
    .select({ one: sql`1` })
    .from(organizations)
    .where(and(here, ...asRead));
  const result = await runCommand(services, actor, {
    conditions: [{ name: "details_changed", found: still }],
    uniques: { subdomain_taken: "organizations.subdomain" },
    statements: [
      db
        .update(organizations)
        .set({ ...details, ...(hasNewLogo ? { logo } : {}), updatedAt: clock.now() })
        .where(here),
    ],
    audit: [
      {
        action: "organization.details_changed",
        entityType: "organization",
        entityId: organizationId,
        details: { ...changed, ...(hasNewLogo ? { logo: logo === null ? "removed" : "changed" } : {}) },
      },
    ],
    answer: true,
  });
  if (result.ok) return result.answer;
  if (result.refused === "subdomain_taken") {
    throw invalidInput({ subdomain: ["Another organisation uses this subdomain. Choose another one."] });
  }
  throw new AppError("DETAILS_CHANGED", 409, "Someone else changed the details a moment ago. Reload and try again.");
}
