import * as z from "zod";
import { appPaths } from "~/kernel/paths/app";
import { sealedCookie } from "./sealed-cookie.server";

/** The secret of a webhook endpoint on its way to the one page that shows it, once. */
export const newSecretCookie = sealedCookie({
  name: "new-webhook-secret",
  path: appPaths.settings,
  maxAgeSeconds: 2 * 60,
  schema: z.object({ userId: z.string(), endpointId: z.string(), secret: z.string() }),
});
