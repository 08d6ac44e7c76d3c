import { api } from "~/http/api.server";
import { answerHealthCheck } from "~/http/health.server";

/** GET /healthz -> { ok, version, migrations } */
export const { loader, action } = api({ GET: ({ services }) => answerHealthCheck(services) });
