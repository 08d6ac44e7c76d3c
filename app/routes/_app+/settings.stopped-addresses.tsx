import { useActionData, useLoaderData } from "@remix-run/react";
import { SettingsPage } from "~/components/accounts/settings/settings-page";
import { Form, type FormAnswer, HiddenFields, keepWhatWasTyped, SubmitButton } from "~/components/forms/form";
import { RefusedAct } from "~/components/forms/refused-act";
import { ListCard } from "~/components/tables/list-card";
import { named, Time } from "~/components/ui/page-parts";
import { formAction, page, pageAdmin, parseForm } from "~/http/page.server";
import { appPaths } from "~/kernel/paths/app";
import { allowAddressSchema, readStoppedAddressesPage, sendAgainTo } from "~/modules/messages/stopped-addresses.server";

export const { meta, ErrorBoundary } = named("Stopped emails · Settings", "Error Loading Settings");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageAdmin(scope);
  return readStoppedAddressesPage(scope.services, actor);
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageAdmin(scope);
  const allow = async (form: FormData) => {
    const { email } = parseForm(form, allowAddressSchema);
    await sendAgainTo(scope.services, actor, email);
    const flash = { tone: "success", title: "Emails go to this address again", description: email } as const;
    return { to: appPaths.stoppedAddresses, flash };
  };
  return formAction(scope, allow, { title: "Nothing was changed" });
});

export const clientAction = keepWhatWasTyped;

export default function StoppedAddresses() {
  const { addresses } = useLoaderData<typeof loader>();
  return (
    <SettingsPage description="Email addresses to which nothing is sent, and why.">
      <RefusedAct answer={useActionData<FormAnswer>()} />
      <ListCard
        label="Stopped emails"
        title="Stopped emails"
        description="Nothing is sent to these addresses. Correct an address that is wrong. If the address is right, send to it again; after a report, send only when the person asks."
        rows={addresses}
        keyOf={({ email }) => email}
        itemClass="flex flex-wrap items-center justify-between gap-4 px-5 py-4"
        item={({ email, why, stopped }) => (
          <>
            <div className="min-w-0">
              <p className="break-words font-medium">{email}</p>
              <p className="mt-1 text-ink-soft text-sm">
                {why} <Time {...stopped} />
              </p>
            </div>
            <Form method="post">
              <HiddenFields values={{ email }} />
              <SubmitButton size="sm" variant="secondary" pendingText="One moment...">
                Send again to this address
              </SubmitButton>
            </Form>
          </>
        )}
        empty={{
          icon: "mail",
          title: "Emails go to every address",
          children:
            "An address is listed here when your emails do not arrive there, or a recipient reports one as unwanted.",
        }}
      />
    </SettingsPage>
  );
}
