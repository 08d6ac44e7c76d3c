import * as z from "zod";
import { CONNECTABLE_SYSTEMS } from "~/kernel/accounting-system";
import { appPaths } from "~/kernel/paths/app";
import { sealedCookie } from "./sealed-cookie.server";

const MINUTES = 15;

/** What this browser began at an accounting system: only it may end there what it began, for the same person and organisation. */
export const consentCookie = sealedCookie({
  name: "accounting-consent",
  path: appPaths.integrations,
  maxAgeSeconds: MINUTES * 60,
  schema: z.object({
    userId: z.string(),
    organizationId: z.string(),
    system: z.enum(CONNECTABLE_SYSTEMS),
    state: z.string(),
    codeVerifier: z.string(),
    writesNotes: z.boolean(),
  }),
});
