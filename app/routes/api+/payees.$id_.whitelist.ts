import { type ApiArgs, api } from "~/http/api.server";
import { readJson } from "~/http/body.server";
import { apiWriter, idParam } from "~/http/guards.server";
import { recordReveal } from "~/modules/core/record-reveal.server";
import { toPayeeJson } from "~/modules/payees/payee.json";
import { getPayeeWithLatest } from "~/modules/payees/payee.server";
import { whitelistSchema } from "~/modules/payees/payee-fields.server";
import { TRUST_NOTICES, unwhitelistByHand, whitelistByHand } from "~/modules/payees/whitelist-by-hand.server";

export const { loader, action } = api({
  POST: (args) => decide(args, async (...given) => ((await whitelistByHand(...given)) ? "added" : "was_on")),
  DELETE: (args) => decide(args, unwhitelistByHand),
});

type Act = (...given: Parameters<typeof unwhitelistByHand>) => Promise<keyof typeof TRUST_NOTICES>;

async function decide(args: ApiArgs, act: Act) {
  const { services } = args;
  const actor = await apiWriter(args);
  const payeeId = idParam(args.params);
  const input = await readJson(args.request, whitelistSchema);
  const what = await act(services, actor, { payeeId, ...input });
  const [{ payee, latest, grade }] = await Promise.all([
    getPayeeWithLatest(services, actor, payeeId),
    recordReveal(services, actor, { entityType: "payee", entityId: payeeId }),
  ]);
  return { payee: toPayeeJson(payee, latest, grade), notice: TRUST_NOTICES[what].text };
}
