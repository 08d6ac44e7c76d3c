import { api } from "~/http/api.server";
import { apiMember, idParam } from "~/http/guards.server";
import { downloadAnswer } from "~/http/responses.server";
import { issueCertificate } from "~/modules/records/certificates/certificate.server";
import { certificatePdf } from "~/modules/records/certificates/certificate-pdf.server";

export const { loader, action } = api({
  GET: async (args) => {
    const actor = await apiMember(args);
    const { services } = args;
    const certificate = await issueCertificate(services, actor, idParam(args.params));
    const file = await certificatePdf(certificate, services.config.appOrigin);
    return downloadAnswer({ ...file, type: "application/pdf" });
  },
});
