import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { HealthPage } from "~/components/payees/payee-health/health-page";
import { formAction } from "~/http/form-action.server";
import { pageMember, pageWriter } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { HEALTH_KINDS } from "~/kernel/enums";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import { startHealthRun } from "~/modules/payees/payee-health/health.server";
import { readAfter } from "~/modules/payees/payee-health/health.view";
import { findHealthPage } from "~/modules/payees/payee-health/health-page.server";

/** How often the page of a reading that is under way loads again, in seconds. */
const REFRESH_SECONDS = "2";

export const meta: MetaFunction<typeof loader> = ({ data: loaded, ...route }) => [
  pageTitle(route, "Health of your payees"),
  ...(loaded?.page.running ? [{ httpEquiv: "refresh", content: REFRESH_SECONDS }] : []),
];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const { searchParams } = scope.url;
  const kind = HEALTH_KINDS.find((each) => each === searchParams.get("kind"));
  return { page: await findHealthPage(scope.services, actor, { kind, after: readAfter(searchParams.get("after")) }) };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  return formAction(scope, async () => {
    await startHealthRun(scope.services, actor);
    return { to: appPaths.payeeHealth };
  });
});

/** A lost connection is reported in the form; what was typed stays. */
export const clientAction = keepWhatWasTyped;

export default function PayeeHealth() {
  const { page: loaded } = useLoaderData<typeof loader>();
  return <HealthPage page={loaded} answer={useActionData<FormAnswer>()} />;
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading the Report" />;
}
