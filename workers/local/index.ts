import type { Services } from "~/services";
import { isSchedule, runSchedule } from "../schedules";
import { tellBankCheck } from "./bank-checks";
import { loadBsbDirectory } from "./bsb-directory";
import { makeFixtures } from "./fixtures";
import { tellMeter } from "./meter";
import { seedDemo } from "./seed";

type Endpoint = (request: Request, url: URL, services: Services) => Promise<Response>;

/** Endpoints of a developer's machine and of tests, by path. A deployed app does not have them. */
const ENDPOINTS: Record<string, Endpoint> = {
  "/__scheduled": async (_request, url, services) => {
    const cron = url.searchParams.get("cron") ?? "";
    if (!isSchedule(cron)) return new Response("no such schedule\n", { status: 404 });
    await runSchedule(cron, services);
    return new Response("done\n");
  },
  "/__local/bank-checks": tellBankCheck,
  "/__local/bsb-directory": loadBsbDirectory,
  "/__local/meter": tellMeter,
  "/__local/seed": seedDemo,
  "/__local/fixtures": makeFixtures,
};

/** Answers a local endpoint, or undefined: the request is for the app. */
export async function answerLocally(request: Request, services: Services): Promise<Response | undefined> {
  if (services.config.appEnv === "production") return undefined;
  const url = new URL(request.url);
  // Cookies and origins belong to one name: a person who typed "localhost" is sent to the address in APP_ORIGIN.
  if (
    url.hostname === "localhost" &&
    request.headers.get("Sec-Fetch-Mode") === "navigate" &&
    request.method === "GET"
  ) {
    return Response.redirect(new URL(url.pathname + url.search, services.config.appOrigin), 302);
  }
  const endpoint =
    ENDPOINTS[url.pathname] ?? (url.pathname.startsWith("/__local/bank-checks/") ? tellBankCheck : undefined);
  return endpoint?.(request, url, services);
}
