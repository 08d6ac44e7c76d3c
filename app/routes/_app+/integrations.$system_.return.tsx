import { redirect } from "@remix-run/cloudflare";
import { LoadError } from "~/components/ui/page-parts";
import { consentCookie } from "~/http/cookies.server";
import { type Flash, type PageArgs, page, pageAdmin, setFlash, systemParam } from "~/http/page.server";
import { type ConnectableSystem, SYSTEM_NAMES } from "~/kernel/accounting-system";
import { AppError } from "~/kernel/app-error";
import { appPaths } from "~/kernel/paths/app";
import { connectSystem, returnUrlOf } from "~/modules/connections/connect.server";
import { consentReturnSchema } from "~/modules/connections/integration.server";
import type { Actor } from "~/services-and-actor";

/** The return from the system's consent page: `?code&state`, or `?error&state`. */
export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageAdmin(scope);
  const system = systemParam(scope.services, scope.params);
  const flash = await finish(scope, actor, system).catch((error) => refusalMessage(error, system));
  const headers = new Headers();
  headers.append("Set-Cookie", await consentCookie.drop(scope.services));
  headers.append("Set-Cookie", await setFlash(scope.services, flash));
  throw redirect(appPaths.integration(system), { status: 303, headers });
});

async function finish({ services, request, url }: PageArgs, actor: Actor, system: ConnectableSystem): Promise<Flash> {
  const name = SYSTEM_NAMES[system];
  const begun = await consentCookie.read(services, request);
  const query = consentReturnSchema.safeParse(Object.fromEntries(url.searchParams)).data;
  const isOurs =
    begun?.userId === actor.userId &&
    begun.organizationId === actor.organizationId &&
    begun.system === system &&
    begun.state === query?.state;
  if (!isOurs) {
    return {
      tone: "error",
      title: `${name} was not connected`,
      description: "This browser did not begin the connection, or began it too long ago. Connect again.",
    };
  }
  if (!query?.code) {
    return { tone: "info", title: `${name} was not connected`, description: "Access was not allowed there." };
  }
  const returned = {
    code: query.code,
    codeVerifier: begun.codeVerifier,
    returnUrl: returnUrlOf(services, system),
    query: url.searchParams,
  };
  const { needsChoice } = await connectSystem(services, actor, { system, returned, writesNotes: begun.writesNotes });
  return needsChoice
    ? { tone: "info", title: `PayeeProof has access to ${name}`, description: "Choose the books to read." }
    : { tone: "success", title: `${name} is connected`, description: "Suppliers and bills are being read." };
}

function refusalMessage(error: unknown, system: ConnectableSystem): Flash {
  if (!(error instanceof AppError)) throw error;
  return { tone: "error", title: `${SYSTEM_NAMES[system]} was not connected`, description: error.message };
}

/** The loader always redirects. */
export default function IntegrationReturn() {
  return null;
}

export function ErrorBoundary() {
  return <LoadError title="Error Connecting" />;
}
