import { type Cookie, createCookie } from "@remix-run/cloudflare";

/** Over https the session cookie is `__Host-session`; on http loopback some browsers refuse prefix and Secure. */
export function sessionCookie(appOrigin: string, secrets: string[]): Cookie {
  const secure = appOrigin.startsWith("https://");
  return createCookie(secure ? "__Host-session" : "session", {
    ...shared(secure),
    secrets,
  });
}

/** One message for the next page, signed so that nobody can put words into our mouth. */
export function flashCookie(appOrigin: string, secrets: string[]): Cookie {
  return createCookie("flash", { ...shared(appOrigin.startsWith("https://")), secrets, maxAge: 60 });
}

const shared = (secure: boolean) => ({ path: "/", httpOnly: true, sameSite: "lax" as const, secure });

/** A cookie's value, or null for none, a forged one or garbage: never an error. */
export async function readCookie<T>(cookie: Cookie, request: Request): Promise<T | null> {
  try {
    return ((await cookie.parse(request.headers.get("Cookie"))) as T | null) ?? null;
  } catch {
    return null;
  }
}
