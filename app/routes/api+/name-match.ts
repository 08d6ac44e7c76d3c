import { api } from "~/http/api.server";
import { readJson } from "~/http/body.server";
import { limitByAddress } from "~/http/rate-limit.server";
import { matchNames, toMatchBadge } from "~/modules/name-match";
import { namePairCallSchema } from "~/modules/name-match/name-pair.schema.server";

/** Compares two names and nothing else: it knows no payee, so it is open to the public, within a limit per address. */
export const { loader, action } = api({
  POST: async (args) => {
    await limitByAddress(args, "name-match");
    const { submitted, held, kind } = await readJson(args.request, namePairCallSchema);
    const { score, matchType, differences } = matchNames(submitted, held, kind);
    return { score, matchType, badge: toMatchBadge(score), differences };
  },
});
