import { api, json } from "~/http/api.server";
import { readHeader, readUpload } from "~/http/body.server";
import { apiWriter } from "~/http/guards.server";
import { requireLiveSubscription } from "~/modules/accounts/billing/subscription.server";
import { idempotencyKeySchema } from "~/modules/core/commands/idempotency.server";
import { startImport } from "~/modules/payees/imports/control-import.server";
import { MAX_FILE_BYTES } from "~/modules/payees/imports/import";
import { toImportJson } from "~/modules/payees/imports/import.json";
import { getImport, mappingRequired, parseMapping } from "~/modules/payees/imports/import.server";
import { missingColumns } from "~/modules/payees/imports/table/columns";
import { uploadImport } from "~/modules/payees/imports/upload-import.server";

/** Takes a file in and starts it at once: a program has no use for a preview. */
export const { loader, action } = api({
  POST: async (args) => {
    const actor = await apiWriter(args);
    const { services, request } = args;
    const idempotencyKey = readHeader(request, "Idempotency-Key", idempotencyKeySchema);
    const upload = await readUpload(request, MAX_FILE_BYTES);
    await requireLiveSubscription(services, actor.organizationId);
    const { importId } = await uploadImport(services, actor, { ...upload, idempotencyKey });
    const found = await getImport(services, actor, importId);
    if (found.status === "ready") {
      const chosen = parseMapping(new URL(request.url).searchParams.get("mapping"), found.headings);
      const mapping = chosen ?? found.mapping;
      const missing = missingColumns(mapping);
      if (missing) throw mappingRequired(missing, found.headings);
      await startImport(services, actor, { importId, mapping });
    }
    return json({ import: toImportJson(await getImport(services, actor, importId)) }, { status: 202 });
  },
});
