import { api, json } from "~/http/api.server";
import { readHeader, readJson } from "~/http/body.server";
import { apiWriter, idParam } from "~/http/guards.server";
import { idempotencyKeySchema } from "~/modules/core/commands/idempotency.server";
import { toCallJson } from "~/modules/verifying/call-backs/call-back.json";
import { callSchema, listCalls } from "~/modules/verifying/call-backs/call-back.server";
import { recordCall } from "~/modules/verifying/call-backs/record-call.server";

export const { loader, action } = api({
  POST: async (args) => {
    const actor = await apiWriter(args);
    const verificationId = idParam(args.params);
    const call = await readJson(args.request, callSchema);
    const idempotencyKey = readHeader(args.request, "Idempotency-Key", idempotencyKeySchema);
    const id = await recordCall(args.services, actor, { verificationId, call, idempotencyKey });
    const calls = await listCalls(args.services, actor, verificationId);
    const recorded = calls.find((one) => one.id === id);
    return json({ call: recorded && toCallJson(recorded) }, { status: 201 });
  },
});
