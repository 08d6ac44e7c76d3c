import { organizations } from "@db/schema";
import { eq } from "drizzle-orm";
import type { ReadServices } from "~/services";
import type { OrganizationDetails } from "./details";

/** An organisation's details and logo; undefined for nobody's. */
export async function findDetails(
  { db }: ReadServices,
  organizationId: string,
): Promise<{ details: OrganizationDetails; logo: string | null } | undefined> {
  const [row] = await db
    .select({
      name: organizations.name,
      abn: organizations.abn,
      address: organizations.address,
      phone: organizations.phone,
      contactEmail: organizations.contactEmail,
      website: organizations.website,
      subdomain: organizations.subdomain,
      logo: organizations.logo,
    })
    .from(organizations)
    .where(eq(organizations.id, organizationId));
  if (!row) return undefined;
  const { logo, ...details } = row;
  return { details, logo };
}
