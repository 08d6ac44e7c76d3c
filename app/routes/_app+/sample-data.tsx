import { useActionData, useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import {
  Form,
  type FormAnswer,
  FormErrorSummary,
  HiddenFields,
  keepWhatWasTyped,
  SubmitButton,
} from "~/components/forms/form";
import { Card, named, PageHeader } from "~/components/ui/page-parts";
import { formAction, page, pageMember, parseForm } from "~/http/page.server";
import { appPaths } from "~/kernel/paths/app";
import { sitePaths } from "~/kernel/paths/site";
import { loadSample, readSamplePage, removeSample, samplePostSchema } from "~/modules/records/sample-data.server";

/** How often the page reloads while a sample is being created, in seconds. */
const REFRESH_SECONDS = "3";

export const { meta, ErrorBoundary } = named<typeof loader>("Sample data", "Error Loading the Sample Data", (loaded) =>
  loaded?.state === "making" ? [{ httpEquiv: "refresh", content: REFRESH_SECONDS }] : [],
);

export const loader = /* @__PURE__ */ page(async (scope) => readSamplePage(scope.services, await pageMember(scope)));

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const change = async (form: FormData) => {
    const { intent } = parseForm(form, samplePostSchema);
    if (intent === "load") {
      await loadSample(scope.services, actor);
      return { to: appPaths.sampleData };
    }
    await removeSample(scope.services, actor);
    return { to: appPaths.dashboard, flash: { tone: "success", title: "Sample data removed" } as const };
  };
  return formAction(scope, change, { title: "The sample data stays as it is" });
});

export const clientAction = keepWhatWasTyped;

export default function SampleData() {
  const view = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <>
      <PageHeader
        title="Sample data"
        description="Sixty days in the records of an invented joinery with fourteen suppliers: frauds waiting for a decision, held payments and a half-decided pay run."
      />
      <FormErrorSummary title={answer?.title} errors={answer?.errors} formErrors={answer?.formErrors} />
      <Card title={TITLES[view.state]}>
        <div className="grid max-w-prose gap-5 text-base">
          <State view={view} />
          {"canRemove" in view && view.canRemove && (
            <Form method="post" className="border-line border-t pt-5">
              <p className="mb-4">Removing it deletes the whole invented organisation. Your own organisation stays.</p>
              <SubmitButton name="intent" value="remove" variant="secondary" pendingText="Removing...">
                Remove the sample data
              </SubmitButton>
            </Form>
          )}
        </div>
      </Card>
    </>
  );
}

type View = ReturnType<typeof useLoaderData<typeof loader>>;

const TITLES: Record<View["state"], string> = {
  none: "Look around before you begin",
  making: "The sample data is being made",
  failed: "The sample data is not complete",
  ready: "The sample data is ready",
  inside: "You are looking at sample data",
};

function State({ view }: { view: View }) {
  switch (view.state) {
    case "none":
      return <Load {...view} />;
    case "making":
      return <p aria-live="polite">This takes about a minute. This page updates automatically.</p>;
    case "failed":
      return <p>The sample data could not be loaded or removed completely. Remove it, then you can load it again.</p>;
    case "ready":
      if (!view.sampleId) return <p>A colleague loaded it, and only they can look at it.</p>;
      return (
        <Go to={view.sampleId} label="Look at it">
          It is a separate organisation. You can look at everything in it but change nothing, and come back here at any
          time.
        </Go>
      );
    case "inside":
      if (!view.homeId) return <p>You are no longer a member of the organisation that loaded it.</p>;
      return (
        <Go to={view.homeId} label="Leave the sample data">
          Everything here is invented: no bank was asked, no message is sent, and nothing is paid.
        </Go>
      );
  }
}

/** Switches to the other organisation. */
function Go({ to, label, children }: { to: string; label: string; children: ReactNode }) {
  return (
    <Form method="post" action={sitePaths.selectOrganization} className="grid gap-4">
      <p>{children}</p>
      <HiddenFields values={{ organizationId: to }} />
      <div>
        <SubmitButton pendingText="Opening...">{label}</SubmitButton>
      </div>
    </Form>
  );
}

function Load({ canLoad, hasReal }: Extract<View, { state: "none" }>) {
  if (hasReal)
    return <p>Your organisation has payees, payments or invoices of its own, so no sample data is loaded.</p>;
  if (!canLoad) return <p>An administrator of your organisation can load it.</p>;
  return (
    <Form method="post" className="grid gap-4">
      <p>
        The sample data is a separate organisation, marked as sample data on every page. No bank is asked, no message is
        sent, nothing is charged, and no other organisation ever sees or counts it.
      </p>
      <div>
        <SubmitButton name="intent" value="load" pendingText="Loading...">
          Load sample data
        </SubmitButton>
      </div>
    </Form>
  );
}
