import { type Cookie, createCookie } from "@remix-run/cloudflare";
import * as z from "zod";
import { CONNECTABLE_SYSTEMS } from "~/kernel/accounting-system";
import { appPaths } from "~/kernel/paths/app";
import { sitePaths } from "~/kernel/paths/site";
import { passkeyChallengeSchema } from "~/modules/accounts/identity/passkey-assertion.server";
import type { SignInTicket } from "~/modules/accounts/identity/sign-in-steps.server";
import { begunSchema, linkTicketSchema } from "~/modules/accounts/single-sign-on/company-sign-in.server";
import type { Services } from "~/services-and-actor";

/** Over https the session cookie is `__Host-session`; on http loopback some browsers refuse the prefix and Secure. */
export function sessionCookie(appOrigin: string, secrets: string[]): Cookie {
  const secure = appOrigin.startsWith("https://");
  return createCookie(secure ? "__Host-session" : "session", { ...shared(secure), secrets });
}

/** One message for the next page, signed so that nobody else can write it. */
export function flashCookie(appOrigin: string, secrets: string[]): Cookie {
  return createCookie("flash", { ...shared(appOrigin.startsWith("https://")), secrets, maxAge: 60 });
}

const shared = (secure: boolean) => ({ path: "/", httpOnly: true, sameSite: "lax" as const, secure });

/** A cookie's value, or null when it is missing, forged or malformed; never throws. */
export async function readCookie<T>(cookie: Cookie, request: Request): Promise<T | null> {
  try {
    return ((await cookie.parse(request.headers.get("Cookie"))) as T | null) ?? null;
  } catch {
    return null;
  }
}

type Needs = Pick<Services, "config" | "secrets">;

type Options<T> = { name: string; path: string; maxAgeSeconds: number; schema: z.ZodType<T> };

/** A cookie that only we can read or create: encrypted, short-lived, and sent only to the page that needs it. */
function sealedCookie<T>({ name, path, maxAgeSeconds, schema }: Options<T>) {
  const cookieOf = ({ config }: Needs): Cookie =>
    createCookie(name, {
      path,
      httpOnly: true,
      sameSite: "lax",
      secure: config.appOrigin.startsWith("https://"),
      maxAge: maxAgeSeconds,
    });
  return {
    /** The `Set-Cookie` that stores a value. */
    keep: async (services: Needs, value: T): Promise<string> =>
      cookieOf(services).serialize(await services.secrets.seal(JSON.stringify(value), `cookie:${name}`)),
    /** The `Set-Cookie` that deletes it. */
    drop: (services: Needs): Promise<string> => cookieOf(services).serialize("", { maxAge: 0 }),
    /** Null when it is missing, forged, damaged or of a different shape. */
    async read(services: Needs, request: Request): Promise<T | null> {
      const envelope = await readCookie<unknown>(cookieOf(services), request);
      if (typeof envelope !== "string" || envelope === "") return null;
      try {
        const text = await services.secrets.open(envelope, `cookie:${name}`);
        return schema.safeParse(JSON.parse(text)).data ?? null;
      } catch {
        return null;
      }
    },
  };
}

/** Between the two steps of a sign-in: proof that the password was correct. */
export const ticketCookie = sealedCookie<SignInTicket>({
  name: "sign-in",
  path: sitePaths.signIn,
  maxAgeSeconds: 10 * 60,
  schema: z.object({
    userId: z.string(),
    passwordDigest: z.string(),
    organizationId: z.string().optional(),
    organizationIsHint: z.boolean().optional(),
    vouchedBy: z.object({ organizationId: z.string(), until: z.number() }).optional(),
    issuedAt: z.number(),
  }),
});

/** The sign-in that this browser started at its organisation's provider; only this browser can complete it. */
export const companyCookie = sealedCookie({
  name: "company-sign-in",
  path: sitePaths.companySignIn,
  maxAgeSeconds: 10 * 60,
  schema: begunSchema,
});

/** For a person who returned from the provider and already has an account: they must still prove that it is theirs. */
export const companyLinkCookie = sealedCookie({
  name: "company-link",
  path: sitePaths.companySignIn,
  maxAgeSeconds: 10 * 60,
  schema: linkTicketSchema,
});

/**
 * The challenge for signing in with a passkey, or adding one. Its path covers more than the sign-in page, because with
 * scripts its form posts to an address next to it.
 */
export const passkeyCookie = sealedCookie({
  name: "passkey",
  path: sitePaths.home,
  maxAgeSeconds: 10 * 60,
  schema: passkeyChallengeSchema,
});

export const newPasskeyCookie = sealedCookie({
  name: "new-passkey",
  path: appPaths.profile,
  maxAgeSeconds: 10 * 60,
  schema: passkeyChallengeSchema,
});

const ONCE_SECONDS = 2 * 60;
/** A parent path, because with scripts the page's data is read from an address next to it. */
const ACCOUNT_PATH = appPaths.profile;

/** Recovery codes, or a token, for the one page that shows them once. */
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

const MINUTES = 15;

/** The connection that this browser started at an accounting system, for the same person and organisation only. */
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

/** The token of an organisation's directory, for the one page that shows it once. */
export const newScimTokenCookie = sealedCookie({
  name: "new-directory-token",
  path: appPaths.settings,
  maxAgeSeconds: ONCE_SECONDS,
  schema: z.object({ userId: z.string(), token: z.string() }),
});

/** The secret of a webhook endpoint, for the one page that shows it once. */
export const newSecretCookie = sealedCookie({
  name: "new-webhook-secret",
  path: appPaths.settings,
  maxAgeSeconds: 2 * 60,
  schema: z.object({ userId: z.string(), endpointId: z.string(), secret: z.string() }),
});

const YEAR_SECONDS = 365 * 24 * 60 * 60;
const cookie = createCookie("theme", { path: "/", sameSite: "lax", httpOnly: true, maxAge: YEAR_SECONDS });

/** The colour theme that a person chose; "system" follows the device. */
export async function readTheme(request: Request): Promise<"light" | "dark" | "system"> {
  const value = await readCookie<unknown>(cookie, request);
  return value === "light" || value === "dark" ? value : "system";
}

/** The `Set-Cookie` that stores the theme; "system" and unknown values delete it. */
export function saveTheme(theme: unknown): Promise<string> {
  return theme === "light" || theme === "dark" ? cookie.serialize(theme) : cookie.serialize("", { maxAge: 0 });
}
