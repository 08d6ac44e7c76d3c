import { createGrants } from "../accounting/grants";
import type { Party, SimulatorContext } from "../party";
import { createRoutes } from "../routes";
import { apiRoutes, myobFault } from "./api";
import { identityRoutes } from "./identity";
import { pageRoutes } from "./pages";
import { myobBooks, myobState } from "./state";

const MINUTE_MS = 60_000;

/** Access 20 minutes, refresh 7 days; a replaced refresh token is not taken again. */
const RULES = {
  accessSeconds: 1_200,
  refreshMs: 7 * 24 * 60 * MINUTE_MS,
  graceMs: 0,
  codeMs: 2 * MINUTE_MS,
  refreshScope: null,
};

/** MYOB Business: consent to one company file, and its suppliers. It has no webhooks and no history. */
export function myobParty(context: SimulatorContext): Party {
  const state = myobState(context);
  const grants = createGrants(state, context, RULES);
  const books = myobBooks(context);
  return {
    name: "myob",
    links: [{ href: "/myob", text: "Play a person in MYOB: suppliers, bills, and apps that are connected" }],
    isAppCall: ({ path }) => path === "/oauth2/v1/authorize" || path.startsWith("/accountright"),
    app: createRoutes(
      [
        ...identityRoutes(state, context, grants),
        ...apiRoutes(state, context, { grants, books }),
        ...pageRoutes(state, context, { grants, books }),
      ],
      () => myobFault(404),
    ),
    errorAnswer: (status) => myobFault(status),
    summarise: ({ path }) => (path.startsWith("/oauth2/") ? "(a secret)" : ""),
  };
}
