import { organizationDomains } from "@db/schema";
import { asc, desc, eq } from "drizzle-orm";
import type { ReadServices } from "~/services";

/** The email domains an organisation has claimed, the primary one first. */
export async function listDomains({ db }: ReadServices, organizationId: string) {
  return db
    .select({
      id: organizationDomains.id,
      domain: organizationDomains.domain,
      isPrimary: organizationDomains.isPrimary,
      autoApprove: organizationDomains.autoApprove,
      createdAt: organizationDomains.createdAt,
    })
    .from(organizationDomains)
    .where(eq(organizationDomains.organizationId, organizationId))
    .orderBy(desc(organizationDomains.isPrimary), asc(organizationDomains.domain));
}
