import { logDevReady } from "@remix-run/cloudflare";
import * as build from "@remix-run/dev/server-build";
import { discardBody } from "~/http/body.server";
import { readOrigin, requireKnownRequest, requireSameOrigin } from "~/http/context.server";
import { answerFromCopy } from "~/http/kept-pages.server";
import { errorAnswer, toAppError } from "~/http/responses.server";
import { addSecurityHeaders } from "~/http/security-headers.server";
import { SWEEP_EVERY_MS } from "~/modules/core/commands/job";
import { giveWay } from "~/modules/core/commands/outbox.server";
import { runStatement } from "~/modules/core/commands/run-command.server";
import { readNotices } from "~/modules/core/operations/notice.server";
import { EVERY_MINUTE } from "~/modules/core/operations/problems";
import { providerCallStatements } from "~/modules/core/operations/watch.server";
import { noteTrail } from "~/modules/core/restores/outside-trail.server";
import { raiseAlerts } from "~/modules/messages/alerts/trail.server";
import { raiseWebhooks } from "~/modules/messages/webhook-endpoints/deliver.server";
import type { Services } from "~/services-and-actor";
import { compose } from "./compose";
import { type RoutedMail, receiveEmail } from "./email";
import { type Env, type RawEnv, readEnv } from "./env";
import { refuseWhenBusy, release } from "./load";
import { answerLocally, meterServices, meterStatement } from "./local";
import { logRequest, type Running, runAs } from "./log";
import { createPageHandler, createPatternFinder } from "./page-routes";
import { consume } from "./queues";
import { runSchedule } from "./schedules";

const handle = createPageHandler(build, process.env.NODE_ENV);
const patternOf = createPatternFinder(build.routes);
if (process.env.NODE_ENV === "development") logDevReady(build);

const composed = new WeakMap<RawEnv, Services>();

function servicesOf(raw: RawEnv): Services {
  const services = composed.get(raw) ?? composeFor(readEnv(raw));
  composed.set(raw, services);
  return services;
}

const composeFor = (env: Env) =>
  !process.env.DEPLOYED && env.D1_METER === "1" ? meterServices(compose(env, { meter: meterStatement })) : compose(env);

const NONCE_BYTES = 16;
const newNonce = () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(NONCE_BYTES))));

type Asked = {
  request: Request;
  services: Services;
  requestId: string;
  nonce: string;
  run: Running;
  /** Called with the URL pattern of the API call that answers, because the route itself only knows "an API call". */
  onRoute: (pattern: string) => void;
};

async function answer({ request, services, requestId, nonce, run, onRoute }: Asked): Promise<Response> {
  try {
    const refused = refuseWhenBusy(request, run, requestId);
    if (refused) return refused;
    // `npm run deploy` replaces this, so that a deployed Worker does not contain the endpoints of a developer's
    // machine.
    const local = process.env.DEPLOYED ? undefined : await answerLocally(request, services);
    if (local) return local;
    requireKnownRequest(request);
    requireSameOrigin(request, services.config.appOrigin);
    return await handle(request, { services, origin: readOrigin(request, requestId), nonce, onRoute });
  } catch (error) {
    return errorAnswer(toAppError(error, services.log), requestId);
  } finally {
    release(run);
    await discardBody(request.body);
  }
}

/** Sends the alerts for what a request or job has just done. If this fails, the next minute's schedule sends them. */
async function sendAlerts(services: Services): Promise<void> {
  try {
    await noteTrail(services);
    await raiseAlerts(services);
    await raiseWebhooks(services);
  } catch (error) {
    services.log.warn("alerts.later", { error: String(error) });
  }
}

/**
 * Saves how recent calls to outside parties ended, if anything changed. `take` removes them from memory, so if this
 * fails they are lost, and only later calls are recorded.
 */
async function saveCalls(services: Services): Promise<void> {
  const news = services.providerCalls.take();
  if (news.length === 0) return;
  try {
    for (const statement of providerCallStatements(services, news)) await runStatement(services, statement);
  } catch (error) {
    services.log.warn("provider_calls.not_written", { error: String(error) });
  }
}

/** The Worker's entry points: requests, queue batches, emails and schedules. */
export default {
  async fetch(request: Request, raw: RawEnv, context: ExecutionContext): Promise<Response> {
    const requestId = crypto.randomUUID();
    // With the database in the same process, the runtime would not look at other connections while there is work: it
    // would refuse nobody, and close unread the connections that it has not looked at for five seconds.
    if (!process.env.DEPLOYED) await giveWay();
    return runAs("request", requestId, async (run) => {
      const startedAt = Date.now();
      const services = servicesOf(raw);
      let route = patternOf(request);
      const onRoute = (pattern: string) => {
        route = pattern;
      };
      const asked = { request, services, requestId, nonce: newNonce(), run, onRoute };
      const answered = await answerFromCopy({ ...asked, readNotices: () => readNotices(services) }, async () => {
        const response = await answer(asked);
        const hasChanged = request.method !== "GET" && request.method !== "HEAD" && response.status < 400;
        if (hasChanged) context.waitUntil(sendAlerts(services).then(() => saveCalls(services)));
        // A run that may not use the database would take the pending results from memory and lose them.
        else if (!run.isRefused) context.waitUntil(saveCalls(services));
        return addSecurityHeaders(request, response, requestId);
      });
      const { version } = services.config;
      const said = { method: request.method, route, status: answered.status, ms: Date.now() - startedAt };
      logRequest(version, run, said);
      return answered;
    });
  },
  async queue(batch: MessageBatch, raw: RawEnv): Promise<void> {
    await runAs("queue", crypto.randomUUID(), async () => {
      const services = servicesOf(raw);
      await consume(batch, services);
      await sendAlerts(services);
      await saveCalls(services);
    });
  },
  async email(message: RoutedMail, raw: RawEnv): Promise<void> {
    await runAs("email", crypto.randomUUID(), async () => {
      const services = servicesOf(raw);
      if (!(await receiveEmail(message, services))) return;
      await sendAlerts(services);
      await saveCalls(services);
    });
  },
  async scheduled(event: ScheduledController, raw: RawEnv): Promise<void> {
    const services = servicesOf(raw);
    const runs = [await settled(runSchedule(event.cron, services))];
    if (event.cron === EVERY_MINUTE) {
      // The platform's shortest schedule, one minute, is too slow to recover from a crash.
      await new Promise((resolve) => setTimeout(resolve, SWEEP_EVERY_MS));
      runs.push(await settled(runSchedule(event.cron, services)));
    }
    for (const run of runs) if (run.status === "rejected") throw run.reason;
  },
};

const settled = async (run: Promise<void>) => (await Promise.allSettled([run]))[0];
