import { type ApiArgs, api } from "~/http/api.server";
import { check, readJson } from "~/http/body.server";
import { limitByAddress } from "~/http/rate-limit.server";
import { linkAnswerSchema, linkIdsSchema } from "~/modules/payees/payee-links/payee-link.schema.server";
import {
  confirmPayeeDetails,
  disputePayeeDetails,
  getOpenPayeeLink,
} from "~/modules/payees/payee-links/payee-link.server";

const tokenOf = ({ params }: ApiArgs) => params.token ?? "";

export const { loader, action } = api({
  GET: async (args) => {
    await limitByAddress(args, "verify-link");
    const query = Object.fromEntries(new URL(args.request.url).searchParams);
    const link = await getOpenPayeeLink(args.services, { token: tokenOf(args), ...check(linkIdsSchema, query) });
    const { accountName, bsb, accountNumber } = link.submitted;
    return { payee: { accountName, bsb, accountNumber }, organization: { name: link.organizationName } };
  },
  POST: async (args) => {
    await limitByAddress(args, "verify-link");
    const { response, note, vid, pid } = await readJson(args.request, linkAnswerSchema);
    const link = { token: tokenOf(args), vid, pid };
    if (response === "confirm") {
      await confirmPayeeDetails(args.services, args.origin, link);
      return { status: "confirmed" };
    }
    await disputePayeeDetails(args.services, args.origin, { ...link, note });
    return { status: "disputed" };
  },
});
