import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { BulkCheckPage } from "~/components/verifying/bulk-checks/bulk-check-page";
import type { Flash } from "~/http/flash.server";
import { formAction } from "~/http/form-action.server";
import { idParam, pageMember, pageWriter } from "~/http/guards.server";
import { page } from "~/http/page.server";
import type { Actor } from "~/kernel/actor";
import { invalidInput } from "~/kernel/app-error";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import { readPosition } from "~/modules/verifying/bulk-checks/bulk-check.server";
import { getBulkCheckPage } from "~/modules/verifying/bulk-checks/bulk-check-page.server";
import { startBulkCheck, stopBulkCheck } from "~/modules/verifying/bulk-checks/control-bulk-check.server";
import type { Services } from "~/services";

/** How often the page loads again while something happens, in seconds. */
const REFRESH_SECONDS = { counting: "2", running: "5" } as const;

export const meta: MetaFunction<typeof loader> = ({ data: loaded, ...route }) => {
  const status = loaded?.check.status;
  const refresh = status === "counting" || status === "running" ? REFRESH_SECONDS[status] : undefined;
  return [pageTitle(route, "Bulk check"), ...(refresh ? [{ httpEquiv: "refresh", content: refresh }] : [])];
};

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const { services, params, url } = scope;
  return getBulkCheckPage(services, actor, idParam(params), readPosition(url.searchParams));
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  const id = idParam(scope.params);
  const act = async (form: FormData) => ({
    to: appPaths.bulkCheck(id),
    flash: await steer(scope.services, actor, id, form),
  });
  return formAction(scope, act, { title: "Nothing was changed" });
});

/** A lost connection is reported in the form; what was typed stays. */
export const clientAction = keepWhatWasTyped;

async function steer(services: Services, actor: Actor, id: string, form: FormData): Promise<Flash> {
  switch (form.get("intent")) {
    case "start":
      await startBulkCheck(services, actor, id);
      return { tone: "success", title: "Bulk check started" };
    case "stop":
      await stopBulkCheck(services, actor, id);
      return { tone: "info", title: "Bulk check stopped", description: "No further payee is asked." };
    default:
      throw invalidInput({ intent: ["Choose what to do with this check"] });
  }
}

export default function BulkCheck() {
  return <BulkCheckPage {...useLoaderData<typeof loader>()} answer={useActionData<FormAnswer>()} />;
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading Bulk Check" />;
}
