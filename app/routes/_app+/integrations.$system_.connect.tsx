import { data, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { useEffect } from "react";
import { SettingsPage } from "~/components/accounts/settings/settings-page";
import { pageTitle } from "~/components/layout/page-title";
import { buttonClass } from "~/components/ui/elements";
import { Card, LoadError } from "~/components/ui/page-parts";
import { consentCookie } from "~/http/cookies.server";
import { page, pageAdmin, systemParam } from "~/http/page.server";
import { SYSTEM_NAMES } from "~/kernel/accounting-system";
import { beginConsent, canWriteNotes } from "~/modules/connections/connect.server";
import { findIntegration } from "~/modules/connections/integration.server";

/** Leads to the system's consent page, at once and with a link: our policy forbids a form to redirect there. */
export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageAdmin(scope);
  const { services, params, url } = scope;
  const system = systemParam(services, params);
  const existing = await findIntegration(services, actor, system);
  // If notes were allowed before, each new consent asks for them again.
  const writesNotes =
    canWriteNotes(services, system) && (url.searchParams.get("notes") === "on" || existing?.notedTo != null);
  const { address, kept } = await beginConsent(services, system, writesNotes);
  const { userId, organizationId } = actor;
  const cookie = await consentCookie.keep(services, { userId, organizationId, system, writesNotes, ...kept });
  return data({ address, writesNotes, name: SYSTEM_NAMES[system] }, { headers: { "Set-Cookie": cookie } });
});

export const meta: MetaFunction<typeof loader> = ({ data: loaded, ...route }) => {
  const title = pageTitle(route, `Going to ${loaded?.name ?? "your accounting system"}`);
  return loaded ? [title, { httpEquiv: "refresh", content: `0;url=${loaded.address}` }] : [title];
};

export default function ConnectIntegration() {
  const { address, name, writesNotes } = useLoaderData<typeof loader>();
  // After a client-side navigation, the page's refresh header has no effect.
  useEffect(() => window.location.replace(address), [address]);
  return (
    <SettingsPage description={`Connecting ${name}.`}>
      <Card title={`Going to ${name}`}>
        <p className="max-w-[70ch]">
          {name} asks you to sign in and to allow PayeeProof to read your suppliers, bills and payments.{" "}
          {writesNotes
            ? `It also asks to let PayeeProof change contacts: ${name} has no narrower permission for notes in their history. PayeeProof writes such notes and changes nothing else.`
            : "PayeeProof changes nothing there."}{" "}
          If its page does not open by itself, use this link. You will come back here afterwards.
        </p>
        <p className="mt-5">
          <a href={address} className={buttonClass("primary", "lg")}>
            Continue to {name}
          </a>
        </p>
      </Card>
    </SettingsPage>
  );
}

export function ErrorBoundary() {
  return <LoadError title="Error Connecting" />;
}
