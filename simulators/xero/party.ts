import { createGrants } from "../accounting/grants";
import type { Party, SimulatorContext } from "../party";
import { createRoutes } from "../routes";
import { apiRoutes, xeroFault } from "./api";
import { xeroBooks } from "./books";
import { booksPages } from "./books-pages";
import { identityRoutes } from "./identity";
import { pageRoutes } from "./pages";
import { xeroState } from "./state";
import { createXeroWebhooks } from "./webhooks";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Access 30 minutes, refresh 60 days, a replaced refresh token 30 minutes (developer.xero.com/faq/oauth2). */
const RULES = {
  accessSeconds: 1_800,
  refreshMs: 60 * DAY_MS,
  graceMs: 30 * MINUTE_MS,
  codeMs: 5 * MINUTE_MS,
  refreshScope: "offline_access",
};

/** Xero: consent, organisations, contacts with their bank account as one free text, and signed webhooks. */
export function xeroParty(context: SimulatorContext): Party {
  const state = xeroState(context);
  const grants = createGrants(state, context, RULES);
  const webhooks = createXeroWebhooks(state, context);
  const books = xeroBooks(context);
  return {
    name: "xero",
    links: [
      { href: "/xero", text: "Play a person in Xero: suppliers, and apps that are connected" },
      { href: "/xero/bills", text: "Bills and payments in Xero: approve, change, pay, reconcile" },
    ],
    isAppCall: ({ path }) => path.startsWith("/identity/") || path.startsWith("/api/"),
    app: createRoutes(
      [
        ...identityRoutes(state, context, grants),
        ...apiRoutes(state, context, { grants, books }),
        ...pageRoutes(state, context, { grants, webhooks }),
        ...booksPages({ state, books, webhooks }, context),
      ],
      () => xeroFault(404),
    ),
    errorAnswer: (status) => xeroFault(status),
    summarise: ({ path }) => (path.startsWith("/identity/") ? "(a secret)" : ""),
  };
}
