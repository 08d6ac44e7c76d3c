import { api } from "~/http/api.server";
import { apiMember, idParam } from "~/http/guards.server";
import { toCertificateJson } from "~/modules/records/certificates/certificate";
import { issueCertificate } from "~/modules/records/certificates/certificate.server";

export const { loader, action } = api({
  GET: async (args) => {
    const actor = await apiMember(args);
    return { certificate: toCertificateJson(await issueCertificate(args.services, actor, idParam(args.params))) };
  },
});
