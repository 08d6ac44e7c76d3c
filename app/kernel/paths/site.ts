import { folders } from "./folders";

/** Paths of the public site, of signing in, and of the one page that every error page may lead to. */

const signIn = "/auth";
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
  addressLookup: `${signIn}/lookup`,
  forgotPassword: `${signIn}/forgot`,
  passkeyOptions: `${signIn}/passkey`,
  twoStepSignIn: `${signIn}/two-step`,
  logout: "/logout",
  selectOrganization: "/select-organization",

  subscription: "/subscription",
} as const;
