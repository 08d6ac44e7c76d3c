import { api, json } from "~/http/api.server";
import { readJson } from "~/http/body.server";
import { limitByAddress } from "~/http/rate-limit.server";
import { contactCallSchema, submitContactMessage } from "~/modules/messages/contact.server";

export const { loader, action } = api({
  POST: async (args) => {
    const message = await readJson(args.request, contactCallSchema);
    await limitByAddress(args, "contact");
    await submitContactMessage(args.services, message);
    return json({}, { status: 201 });
  },
});
