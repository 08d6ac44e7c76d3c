import { apiMember } from "~/http/page.server";
import { api } from "~/http/responses.server";
import { notFound } from "~/kernel/app-error";
import { describeInstitution, parseBsb } from "~/kernel/bank-account";
import { findDirectoryEntry } from "~/modules/directories/directory.server";

/** The institution that a BSB belongs to, for a form that is being filled in. */
export const { loader, action } = api({
  GET: async (args) => {
    await apiMember(args);
    const bsb = parseBsb(new URL(args.request.url).searchParams.get("bsb") ?? "");
    if (bsb === undefined) throw notFound();
    return { institution: describeInstitution(bsb, await findDirectoryEntry(args.services, bsb)) };
  },
});
