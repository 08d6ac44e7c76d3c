import { api } from "~/http/api.server";
import { readJson } from "~/http/body.server";
import { apiMember, apiWriter, idParam } from "~/http/guards.server";
import type { Actor } from "~/kernel/actor";
import { recordReveal } from "~/modules/core/record-reveal.server";
import { listNoticesOfPayee } from "~/modules/messages/notifications/change-notices.statements.server";
import { toContactsTold } from "~/modules/messages/notifications/notice-rules";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { toChangeJson, toPayeeJson } from "~/modules/payees/payee.json";
import { getPayeeWithLatest } from "~/modules/payees/payee.server";
import { payeePatchSchema } from "~/modules/payees/payee-fields.server";
import { listChanges } from "~/modules/payees/payee-page.server";
import { toVerificationJson } from "~/modules/payees/verifications/verification.json";
import type { Services } from "~/services";

export const { loader, action } = api({
  GET: async (args) => {
    const actor = await apiMember(args);
    return describe(args.services, actor, idParam(args.params));
  },
  PATCH: async (args) => {
    const actor = await apiWriter(args);
    const payeeId = idParam(args.params);
    const { version, ...patch } = await readJson(args.request, payeePatchSchema);
    await editPayee(args.services, actor, { payeeId, patch, version });
    return describe(args.services, actor, payeeId);
  },
});

async function describe(services: Services, actor: Actor, id: string) {
  const { payee, latest, grade } = await getPayeeWithLatest(services, actor, id);
  const [changes, notices] = await Promise.all([
    listChanges(services, actor, id),
    listNoticesOfPayee(services, actor, id),
    recordReveal(services, actor, { entityType: "payee", entityId: id }),
  ]);
  return {
    payee: toPayeeJson(payee, latest, grade),
    latestVerification: latest && toVerificationJson(latest),
    changes: changes.map(toChangeJson),
    formerContact: toContactsTold(notices, services.clock.now()),
  };
}
