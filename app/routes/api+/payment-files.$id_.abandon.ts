import * as z from "zod";
import { api } from "~/http/api.server";
import { readJson } from "~/http/body.server";
import { apiWriter, idParam } from "~/http/guards.server";
import { abandonFile } from "~/modules/payments/payment-files/abandon-file.server";
import { toFileJson } from "~/modules/payments/payment-files/payment-file.json";

export const { loader, action } = api({
  POST: async (args) => {
    const actor = await apiWriter(args);
    const fileId = idParam(args.params);
    await readJson(args.request, z.object({}));
    return { file: toFileJson(await abandonFile(args.services, actor, fileId)) };
  },
});
