import * as z from "zod";
import { appPaths } from "~/kernel/paths/app";
import { sitePaths } from "~/kernel/paths/site";
import type { SignInTicket } from "~/modules/accounts/identity/sign-in.server";
import { sealedCookie } from "./sealed-cookie.server";

/** Between the two steps of a sign-in: that the password was right. */
export const ticketCookie = sealedCookie<SignInTicket>({
  name: "sign-in",
  path: sitePaths.signIn,
  maxAgeSeconds: 10 * 60,
  schema: z.object({
    userId: z.string(),
    passwordDigest: z.string(),
    organizationId: z.string().optional(),
    organizationIsHint: z.boolean().optional(),
    issuedAt: z.number(),
  }),
});

const ONCE_SECONDS = 2 * 60;
/** Not the page itself: where scripts run, it is read from an address beside it. */
const ACCOUNT_PATH = appPaths.profile;

/** Recovery codes, or a token, on their way to the one page that shows them, once. */
export const recoveryCodesCookie = sealedCookie({
  name: "recovery-codes",
  path: ACCOUNT_PATH,
  maxAgeSeconds: ONCE_SECONDS,
  schema: z.object({ userId: z.string(), codes: z.array(z.string()) }),
});

export const newTokenCookie = sealedCookie({
  name: "new-token",
  path: ACCOUNT_PATH,
  maxAgeSeconds: ONCE_SECONDS,
  schema: z.object({ userId: z.string(), name: z.string(), token: z.string() }),
});
