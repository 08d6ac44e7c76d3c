import { api, json } from "~/http/responses.server";
import { checkHealth } from "~/modules/core/operations/watch.server";

const RETRY_AFTER_SECONDS = 5;

/** GET /healthz -> { ok, version, migrations } and any problems: 200 if everything works, otherwise 503 */
export const { loader, action } = api({
  GET: async ({ services }) => {
    const health = await checkHealth(services);
    if (health.ok) return json(health);
    return json(health, { status: 503, headers: { "Retry-After": String(RETRY_AFTER_SECONDS) } });
  },
});
