/**
 * A path with a query string; empty and absent values are left out.
 * @example withQuery("/payees", { q: "acme", after: undefined }) // "/payees?q=acme"
 */
export function withQuery(path: string, query: Readonly<Record<string, string | null | undefined>>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/** Common prefixes of paths, which are not pages themselves. */
export const folders = {
  admin: "/admin",
  api: "/api",
  bankConsent: "/bank-consent",
  health: "/healthz",
  scim: "/scim/v2",
  webhooks: "/webhooks",
} as const;

/** True for a page and for all pages below it: `/payees/1` is at `/payees`, `/payees-old` is not. */
export const isAtPath = (pathname: string, path: string): boolean =>
  pathname === path || pathname.startsWith(`${path}/`);

/** Paths of the public site, of sign-in, and of the one page that any error page may link to. */

const signIn = "/auth";
const companySignIn = `${signIn}/company`;
const blog = "/blog";
const apiDocs = `${folders.api}/docs`;

export const sitePaths = {
  home: "/",
  about: "/about",
  apiDocs,
  apiDocsGroup: (group: string) => `${apiDocs}/${group}`,
  apiDocument: `${folders.api}/openapi.json`,
  blog,
  article: (slug: string) => `${blog}/${slug}`,
  blogFeed: `${blog}/rss.xml`,
  careers: "/careers",
  contact: "/contact",
  faq: "/faq",
  features: "/features",
  help: "/help",
  howItWorks: "/how-it-works",
  nameMatching: "/name-matching",
  partners: "/partners",
  pricing: "/pricing",
  privacy: "/privacy",
  resources: "/resources",
  security: "/security",
  status: "/status",
  terms: "/terms",
  theme: "/theme",

  signIn,
  register: `${signIn}?tab=register`,
  addressLookup: `${signIn}/lookup`,
  companySignIn,
  companyGo: `${companySignIn}/go`,
  companyLink: `${companySignIn}/link`,
  companyRenew: `${companySignIn}/renew`,
  forgotPassword: `${signIn}/forgot`,
  keptForm: `${signIn}/kept-form`,
  passkeyOptions: `${signIn}/passkey`,
  stepUp: `${signIn}/confirm`,
  twoStepSignIn: `${signIn}/two-step`,
  logout: "/logout",
  selectOrganization: "/select-organization",

  subscription: "/subscription",
} as const;

/**
 * The address to which an organisation's provider sends people back: different for each organisation, so that no
 * provider can impersonate another's.
 */
export const companyReturnUrl = (appOrigin: string, organizationId: string): string =>
  `${appOrigin}${companySignIn}/${organizationId}/return`;

/** The base address for directories (RFC 7644). */
export const scimBaseUrl = (appOrigin: string): string => `${appOrigin}${folders.scim}`;
