import { api } from "~/http/api.server";
import { answerStatusCall } from "~/http/status-call.server";

/** GET /healthz/status, with a token of STATUS_TOKENS -> what docs/operations/watch.md describes */
export const { loader, action } = api({ GET: ({ services, request }) => answerStatusCall(services, request) });
