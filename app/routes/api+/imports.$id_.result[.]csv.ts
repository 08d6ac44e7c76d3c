import { api } from "~/http/api.server";
import { apiMember, idParam } from "~/http/guards.server";
import { streamedDownload } from "~/http/responses.server";
import { writeResultFile } from "~/modules/payees/imports/result-file.server";

export const { loader, action } = api({
  GET: async (args) => {
    const actor = await apiMember(args);
    return streamedDownload(await writeResultFile(args.services, actor, idParam(args.params)));
  },
});
