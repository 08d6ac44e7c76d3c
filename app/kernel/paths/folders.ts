/** What several paths begin with, and is no page itself. */
export const folders = {
  admin: "/admin",
  api: "/api",
  bankConsent: "/bank-consent",
  scim: "/scim/v2",
  webhooks: "/webhooks",
} as const;

/** True for a page and for all pages below it: `/payees/1` is at `/payees`, `/payees-old` is not. */
export const isAtPath = (pathname: string, path: string): boolean =>
  pathname === path || pathname.startsWith(`${path}/`);
