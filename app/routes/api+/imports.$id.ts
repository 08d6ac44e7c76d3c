import { api } from "~/http/api.server";
import { apiMember, idParam } from "~/http/guards.server";
import { toImportJson, toRowJson } from "~/modules/payees/imports/import.json";
import { getImport, listResults } from "~/modules/payees/imports/import.server";

/** Rows that went wrong, in one answer; all of them are in the result file. */
const MAX_REFUSED = 100;

export const { loader, action } = api({
  GET: async (args) => {
    const actor = await apiMember(args);
    const importId = idParam(args.params);
    const found = await getImport(args.services, actor, importId);
    const refused = await listResults(args.services, actor, { importId, outcome: "refused", limit: MAX_REFUSED });
    return { import: toImportJson(found), refused: refused.rows.map(toRowJson) };
  },
});
