import { json } from "~/http/api.server";
import { page } from "~/http/page.server";

export const loader = /* @__PURE__ */ page(async ({ services }) =>
  json({ ok: true, version: services.config.version }),
);
