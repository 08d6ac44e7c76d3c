import { isPreconditionError } from "@db/errors";
import { precondition } from "@db/precondition";
import { organizations } from "@db/schema";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Actor } from "~/kernel/actor";
import { AppError, notFound } from "~/kernel/app-error";
import type { Services } from "~/services";
import { commitAct } from "../administration/administration.server";
import { changedDetails, DETAIL_FIELDS, type OrganizationDetails } from "./details";
import { findDetails } from "./details.queries.server";

type Change = {
  details: OrganizationDetails;
  /** A new picture, null for none any more; left out: as it is. */
  logo?: string | null;
};

/**
 * Changes what the actor's organisation tells about itself. Nothing is written where nothing changes.
 * @throws AppError 409 DETAILS_CHANGED when somebody else was quicker, so that the trail's "from" is always true
 * @returns whether anything changed
 */
export async function changeDetails(
  services: Pick<Services, "db" | "clock" | "ids" | "queues">,
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
  try {
    await commitAct(services, actor, {
      organizationId,
      statements: [
        precondition(db, still),
        db
          .update(organizations)
          .set({ ...details, ...(hasNewLogo ? { logo } : {}), updatedAt: clock.now() })
          .where(here),
      ],
      entry: {
        action: "organization.details_changed",
        entityType: "organization",
        entityId: organizationId,
        details: { ...changed, ...(hasNewLogo ? { logo: logo === null ? "removed" : "changed" } : {}) },
      },
    });
  } catch (error) {
    if (!isPreconditionError(error)) throw error;
    throw new AppError("DETAILS_CHANGED", 409, "Somebody else changed the details a moment ago. Reload and try again.");
  }
  return true;
}
