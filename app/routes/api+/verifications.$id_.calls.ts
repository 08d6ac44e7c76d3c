import { api, json } from "~/http/api.server";
import { readHeader, readJson } from "~/http/body.server";
import { apiWriter, idParam } from "~/http/guards.server";
import { toCallJson } from "~/modules/call-backs/call-back.json";
import { listCalls } from "~/modules/call-backs/call-back.queries.server";
import { callSchema } from "~/modules/call-backs/call-back.schema.server";
import { recordCall } from "~/modules/call-backs/record-call.commands.server";
import { idempotencyKeySchema } from "~/modules/commands/idempotency-key.schema.server";

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
