import { DAY_MS } from "~/kernel/dates";

/** API tokens, with which a person's scripts sign in. Pure. */

/** Every token begins with this prefix, so that leaked tokens are recognised. */
export const API_TOKEN_PREFIX = "pp_";

/** The scopes of a token, and their labels. */
export const API_SCOPES = {
  "payees:read": "See payees",
  "payees:write": "Add and edit payees, whitelist them",
  "verifications:read": "See verifications",
  "verifications:write": "Start checks, send links, review",
  "payments:read": "See payments",
  "payments:write": "Record and decide payments, check invoices",
  "files:read": "See payment files and download cleared ones",
  "files:write": "Upload, decide and clear payment files",
  "audit:read": "Read and export the audit trail",
  "admin:read": "See accounting systems, webhook endpoints and what was sent to them",
  "admin:write": "Manage accounting systems and webhook endpoints",
} as const;

export type ApiScope = keyof typeof API_SCOPES;

export const isApiScope = (text: string): text is ApiScope => Object.hasOwn(API_SCOPES, text);

/** After how many days a token expires; 0: never. */
export const API_TOKEN_LIFETIMES = [30, 90, 365, 0] as const;

/** How many tokens one person may have at a time. */
export const MAX_API_TOKENS = 20;

/** How old `lastUsedAt` may become before a call updates it. */
export const API_TOKEN_TOUCH_MS = 5 * 60_000;

/** @param days one of API_TOKEN_LIFETIMES */
export const apiTokenExpiry = (now: number, days: number): number | null => (days === 0 ? null : now + days * DAY_MS);

const HINT_LENGTH = 4;
export const hintOf = (token: string): string => token.slice(-HINT_LENGTH);

/** A token as its owner sees it; the secret itself is shown once, when it is created. */
export type ApiTokenView = {
  id: string;
  name: string;
  hint: string;
  organizationName: string;
  scopes: string[];
  created: string;
  expires: string | null;
  isExpired: boolean;
  lastUsed: { dateTime: string; exact: string; relative: string } | null;
};
