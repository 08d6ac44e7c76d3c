import { env } from "cloudflare:workers";
import { describeDataLayer } from "../tests/support/data-layer-suite";
import { openD1 } from "./client";
import { guardD1 } from "./guarded-d1";

const binding = (env as unknown as { DB: D1Database }).DB;

describeDataLayer("data layer on D1", async () => openD1(guardD1(binding, { timeoutMs: 5_000 })));
