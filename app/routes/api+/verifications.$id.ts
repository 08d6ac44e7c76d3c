import { api } from "~/http/api.server";
import { apiMember, idParam } from "~/http/guards.server";
import { recordReveal } from "~/modules/core/record-reveal.server";
import { listNoticesOfVerification } from "~/modules/messages/notifications/change-notices.statements.server";
import { toContactsTold } from "~/modules/messages/notifications/notice-rules";
import { toVerificationDetailJson } from "~/modules/payees/verifications/verification.json";
import { getVerification, listTimeline } from "~/modules/payees/verifications/verification.server";
import { toCallJson } from "~/modules/verifying/call-backs/call-back.json";
import { listCalls } from "~/modules/verifying/call-backs/call-back.server";

export const { loader, action } = api({
  GET: async (args) => {
    const actor = await apiMember(args);
    const id = idParam(args.params);
    const verification = await getVerification(args.services, actor, id);
    const change = { id, payeeId: verification.payee.id };
    const [timeline, calls, notices] = await Promise.all([
      listTimeline(args.services, actor, id),
      listCalls(args.services, actor, id),
      listNoticesOfVerification(args.services, actor, change),
      recordReveal(args.services, actor, { entityType: "verification", entityId: id }),
    ]);
    const zone = { timeZone: actor.timeZone, now: args.services.clock.now() };
    return {
      ...toVerificationDetailJson(verification, timeline, zone),
      calls: calls.map(toCallJson),
      formerContact: toContactsTold(notices, zone.now),
    };
  },
});
