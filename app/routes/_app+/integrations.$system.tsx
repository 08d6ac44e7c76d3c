import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { SettingsPage } from "~/components/accounts/settings/settings-page";
import { IntegrationPage } from "~/components/connections/integration-page";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { systemParam } from "~/http/accounting-system.server";
import { type Accepted, formAction, parseForm } from "~/http/form-action.server";
import { pageAdmin } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { type ConnectableSystem, SYSTEM_NAMES } from "~/kernel/accounting-system";
import type { Actor } from "~/kernel/actor";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import { canWriteNotes } from "~/modules/connections/begin-consent.server";
import { chooseLedger, disconnectSystem, requestSync } from "~/modules/connections/connect.server";
import {
  findIntegration,
  integrationPostSchema,
  listOpenChanges,
  listRefusedContacts,
} from "~/modules/connections/integration.server";
import { showChange, showIntegration } from "~/modules/connections/integration.view";
import { stopNotes } from "~/modules/connections/notes.server";
import type { Services } from "~/services";

const REFRESH_SECONDS = "5";

export const meta: MetaFunction<typeof loader> = ({ data: loaded, ...route }) => [
  pageTitle(route, `${loaded?.integration.name ?? "Accounting system"} · Integrations`),
  ...(loaded?.integration.isReading ? [{ httpEquiv: "refresh", content: REFRESH_SECONDS }] : []),
];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageAdmin(scope);
  const { services, params } = scope;
  const system = systemParam(services, params);
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  const [row, changes, refused] = await Promise.all([
    findIntegration(services, actor, system),
    listOpenChanges(services, actor, system),
    listRefusedContacts(services, actor, system),
  ]);
  return {
    integration: showIntegration(system, row, zone),
    notes: canWriteNotes(services, system) && row?.status === "connected" ? { isOn: row.notedTo !== null } : null,
    changes: changes.map((change) => showChange(change, zone, false)),
    refused: refused.map(({ contactId, name, note }) => ({ id: contactId, name, note: note ?? "" })),
  };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageAdmin(scope);
  const system = systemParam(scope.services, scope.params);
  return formAction(scope, (form) => act(scope.services, actor, system, form), { title: "Nothing was changed" });
});

/** A lost connection is reported in the form; what was typed stays. */
export const clientAction = keepWhatWasTyped;

async function act(services: Services, actor: Actor, system: ConnectableSystem, form: FormData): Promise<Accepted> {
  const post = parseForm(form, integrationPostSchema);
  const to = appPaths.integration(system);
  const name = SYSTEM_NAMES[system];
  switch (post.intent) {
    case "choose":
      await chooseLedger(services, actor, system, post.ledgerId);
      return { to, flash: { tone: "success", title: `${name} is connected`, description: READING } };
    case "sync":
    case "sync-all":
      await requestSync(services, actor, { system, all: post.intent === "sync-all" });
      return { to, flash: { tone: "info", title: "Reading", description: READING } };
    case "stop-notes":
      await stopNotes(services, actor, system);
      return {
        to,
        flash: { tone: "info", title: `No more notes in ${name}`, description: "Notes that are there stay." },
      };
    case "disconnect": {
      const isRevoked = await disconnectSystem(services, actor, system);
      const description = isRevoked
        ? "Its access there has ended too. Your payees stay."
        : `PayeeProof has deleted its keys to ${name}. ${name === "MYOB" ? "MYOB has no call that ends access" : `${name} did not answer, so access there may go on`}: remove PayeeProof there too, among the connected apps. Your payees stay.`;
      return { to, flash: { tone: "info", title: `${name} is disconnected`, description } };
    }
  }
}

const READING = "Suppliers and bills are read now. This page shows how far it is.";

export default function Integration() {
  const shown = useLoaderData<typeof loader>();
  return (
    <SettingsPage description={`${shown.integration.name}: what is read, and what waits for a decision.`}>
      <IntegrationPage {...shown} answer={useActionData<FormAnswer>()} />
    </SettingsPage>
  );
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading Integration" />;
}
