import { randomUUID } from "node:crypto";
import path from "node:path";
import { serve } from "@hono/node-server";
import { createFileStore } from "./file-store";
import { createSimulators } from "./index";

/*
 * The simulators as a process of their own on a developer's machine, for the loopback address only. Ends with its parent
 * (IPC channel), on SIGTERM and on SIGINT, once the state is on disk.
 */

const port = Number(process.env.SIMULATORS_PORT ?? 8788);
const origin = `http://127.0.0.1:${port}`;
const store = createFileStore(path.join(required("STATE_DIR"), "simulators.json"));
const simulators = createSimulators({
  store,
  now: Date.now,
  randomId: randomUUID,
  appOrigin: required("APP_ORIGIN"),
  callApp: (request) => fetch(request, { signal: AbortSignal.timeout(15_000), redirect: "manual" }),
  publicOrigin: origin,
  secrets: {
    basiqWebhookSecret: required("BASIQ_WEBHOOK_SECRET"),
    basiqApiKey: required("BASIQ_API_KEY"),
    copToken: required("COP_TOKEN"),
    azupayKey: required("AZUPAY_API_KEY"),
    stripeWebhookSecret: required("STRIPE_WEBHOOK_SECRET"),
    mailWebhookSecret: required("MAIL_WEBHOOK_SECRET"),
    xeroClientSecret: required("XERO_CLIENT_SECRET"),
    xeroWebhookKey: required("XERO_WEBHOOK_KEY"),
    myobClientSecret: required("MYOB_CLIENT_SECRET"),
  },
});

const server = serve({ fetch: simulators.fetch, hostname: "127.0.0.1", port, overrideGlobalObjects: false }, () =>
  console.log(`simulators ready on ${origin}`),
);

function required(name: string): string {
  const value = process.env[name];
  if (!value) {
    console.error(`simulators: ${name} is not set`);
    process.exit(1);
  }
  return value;
}

let stopping = false;
async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  server.close();
  await store.flush().catch((error) => console.error("simulators: the state was not written", error));
  process.exit(0);
}

for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, stop);
process.on("disconnect", stop);

server.on("error", (error) => {
  console.error("simulators:", error.message);
  process.exit(1);
});
