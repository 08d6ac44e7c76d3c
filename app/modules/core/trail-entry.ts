/** One entry of the audit trail, as its readers see it. */
export type TrailEntry = {
  position: number;
  id: string;
  organizationId: string;
  userId: string | null;
  action: string;
  entityType: string | null;
  entityId: string | null;
  details: Record<string, unknown> | null;
  createdAt: number;
};
