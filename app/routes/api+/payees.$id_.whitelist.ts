import { type ApiArgs, api } from "~/http/api.server";
import { readJson } from "~/http/body.server";
import { apiWriter, idParam } from "~/http/guards.server";
import { recordReveal } from "~/modules/detail-reveals/record-reveal.commands.server";
import { toPayeeJson } from "~/modules/payees/payee.json";
import { whitelistSchema } from "~/modules/payees/payee.schema.server";
import { getPayeeWithLatest } from "~/modules/payees/payee-page.queries.server";
import { unwhitelistByHand, whitelistByHand } from "~/modules/payees/whitelist-by-hand.commands.server";

export const { loader, action } = api({
  POST: (args) => decide(args, whitelistByHand),
  DELETE: (args) => decide(args, unwhitelistByHand),
});

async function decide(args: ApiArgs, act: typeof unwhitelistByHand) {
  const { services } = args;
  const actor = await apiWriter(args);
  const payeeId = idParam(args.params);
  const input = await readJson(args.request, whitelistSchema);
  await act(services, actor, { payeeId, ...input });
  const [{ payee, latest, grade }] = await Promise.all([
    getPayeeWithLatest(services, actor, payeeId),
    recordReveal(services, actor, { entityType: "payee", entityId: payeeId }),
  ]);
  return { payee: toPayeeJson(payee, latest, grade) };
}
