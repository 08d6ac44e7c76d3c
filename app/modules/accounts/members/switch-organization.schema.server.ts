import * as z from "zod";

const message = "Choose an organisation";

/** POST /api/select-organization. */
export const selectionSchema = z.object({ organizationId: z.string({ error: message }).min(1, message).max(100) });
