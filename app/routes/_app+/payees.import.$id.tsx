import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { ImportPage } from "~/components/payees/imports/import-page";
import type { Flash } from "~/http/flash.server";
import { formAction } from "~/http/form-action.server";
import { idParam, pageMember, pageWriter } from "~/http/guards.server";
import { page } from "~/http/page.server";
import type { Actor } from "~/kernel/actor";
import { invalidInput } from "~/kernel/app-error";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import { pauseImport, resumeImport, startImport, stopImport } from "~/modules/payees/imports/control-import.server";
import { readMapping, readResultsQuery } from "~/modules/payees/imports/import.server";
import { getImportPage } from "~/modules/payees/imports/import-page.server";
import type { WriteServices } from "~/services";

/** How often the page of a running import loads again, in seconds. */
const REFRESH_SECONDS = "2";

export const meta: MetaFunction<typeof loader> = ({ data: loaded, ...route }) => [
  pageTitle(route, `${loaded ? `${loaded.page.file.name} · ` : ""}Import`),
  ...(loaded?.page.file.status === "running" ? [{ httpEquiv: "refresh", content: REFRESH_SECONDS }] : []),
];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const { services, params, url } = scope;
  const asked = { mapping: readMapping(url.searchParams), ...readResultsQuery(url.searchParams) };
  return { page: await getImportPage(services, actor, { importId: idParam(params), ...asked }) };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  const importId = idParam(scope.params);
  return formAction(
    scope,
    async (form) => ({ to: appPaths.import(importId), flash: await steer(scope.services, actor, importId, form) }),
    { title: "The import did not change" },
  );
});

/** A lost connection is reported in the form; what was typed stays. */
export const clientAction = keepWhatWasTyped;

async function steer(services: WriteServices, actor: Actor, importId: string, form: FormData): Promise<Flash> {
  switch (form.get("intent")) {
    case "start":
      await startImport(services, actor, { importId, mapping: readMapping(form) ?? {} });
      return { tone: "success", title: "Import started" };
    case "pause":
      await pauseImport(services, actor, importId);
      return { tone: "info", title: "Import paused" };
    case "resume":
      await resumeImport(services, actor, importId);
      return { tone: "success", title: "The import goes on" };
    case "stop":
      await stopImport(services, actor, importId);
      return { tone: "info", title: "Import stopped", description: "Payees that were added stay." };
    default:
      throw invalidInput({ intent: ["Choose what to do with this import"] });
  }
}

export default function PayeeImport() {
  const { page: loaded } = useLoaderData<typeof loader>();
  return <ImportPage page={loaded} answer={useActionData<FormAnswer>()} />;
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading Import" />;
}
