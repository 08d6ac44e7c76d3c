import { api } from "~/http/api.server";
import { readHeader, readJson } from "~/http/body.server";
import { apiWriter } from "~/http/guards.server";
import { idempotencyKeySchema } from "~/modules/core/commands/idempotency.server";
import { actOnEach, type BulkAct } from "~/modules/verifying/act-on-each.server";
import { type BulkReview, bulkReviewSchema } from "~/modules/verifying/bulk-review.server";

export const { loader, action } = api({
  POST: async (args) => {
    const actor = await apiWriter(args);
    const asked = await readJson(args.request, bulkReviewSchema);
    const key = readHeader(args.request, "Idempotency-Key", idempotencyKeySchema);
    const results = await actOnEach(args.services, actor, { ids: asked.ids, act: toAct(asked), key });
    return {
      results: results.map(({ id, name, isDone, text, code }) => ({
        id,
        payeeName: name,
        done: isDone,
        code,
        message: text,
      })),
    };
  },
});

function toAct(asked: BulkReview): BulkAct {
  switch (asked.act) {
    case "assign":
      return { intent: "assign", assignee: asked.assigneeId };
    case "reject":
      return { intent: "reject", reason: asked.reason };
    default:
      return { intent: asked.act };
  }
}
