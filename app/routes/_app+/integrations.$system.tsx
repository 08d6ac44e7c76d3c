import { useActionData, useLoaderData } from "@remix-run/react";
import { SettingsPage } from "~/components/accounts/settings/settings-page";
import { IntegrationBadge } from "~/components/connections/integration-list";
import {
  answerTo,
  ButtonForm,
  type FormAnswer,
  keepWhatWasTyped,
  PostForm,
  SubmitButton,
} from "~/components/forms/form";
import { RadioGroup } from "~/components/forms/radio-group";
import { RefusedAct, SubscriptionFirst } from "~/components/forms/refused-act";
import { Button, Callout, Link, linkClass } from "~/components/ui/elements";
import { Card, named, Time } from "~/components/ui/page-parts";
import { type Accepted, formAction, page, pageAdmin, parseForm, systemParam } from "~/http/page.server";
import { type ConnectableSystem, SYSTEM_NAMES } from "~/kernel/accounting-system";
import { appPaths } from "~/kernel/paths/app";
import { chooseLedger, disconnectSystem, readIntegrationPage, requestSync } from "~/modules/connections/connect.server";
import { integrationPostSchema } from "~/modules/connections/integration.server";
import type { ShownChange, ShownIntegration } from "~/modules/connections/integration.view";
import { stopNotes } from "~/modules/connections/notes.server";
import type { Actor, Services } from "~/services-and-actor";

const REFRESH_SECONDS = "5";

export const { meta, ErrorBoundary } = named<typeof loader>(
  (loaded) => `${loaded?.integration.name ?? "Accounting system"} · Integrations`,
  "Error Loading Integration",
  (loaded) => (loaded?.integration.isReading ? [{ httpEquiv: "refresh", content: REFRESH_SECONDS }] : []),
);

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageAdmin(scope);
  const { services, params } = scope;
  return readIntegrationPage(services, actor, systemParam(services, params));
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageAdmin(scope);
  const system = systemParam(scope.services, scope.params);
  return formAction(scope, (form) => act(scope.services, actor, system, form), { title: "Nothing was changed" });
});

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
        flash: { tone: "info", title: `No more notes in ${name}`, description: "Existing notes stay." },
      };
    case "disconnect": {
      const isRevoked = await disconnectSystem(services, actor, system);
      const description = isRevoked
        ? "Its access there has ended too. Your payees stay."
        : `PayeeProof has deleted its keys to ${name}. ${name === "MYOB" ? "MYOB has no call that ends access" : `${name} did not answer, so access there may continue`}: remove PayeeProof there too, among the connected apps. Your payees stay.`;
      return { to, flash: { tone: "info", title: `${name} is disconnected`, description } };
    }
  }
}

const READING = "Suppliers and bills are being read. This page shows the progress.";

export default function Integration() {
  const shown = useLoaderData<typeof loader>();
  return (
    <SettingsPage description={`${shown.integration.name}: what is read, and what waits for a decision.`}>
      <IntegrationPage {...shown} answer={useActionData<FormAnswer>()} />
    </SettingsPage>
  );
}

interface IntegrationPageProps {
  integration: ShownIntegration;
  changes: readonly ShownChange[];
  /** Null when the system has none, or is not connected. */
  notes: { isOn: boolean } | null;
  refused: readonly { id: string; name: string; note: string }[];
  answer?: FormAnswer;
}

/** One accounting system: its state, its actions, and what waits for a person. */
function IntegrationPage({ integration, changes, notes, refused, answer }: IntegrationPageProps) {
  return (
    <>
      <SubscriptionFirst answer={answer} />
      <RefusedAct answer={answer?.intent === "choose" ? undefined : answer} />
      <StateCard integration={integration} />
      {integration.choices.length > 0 && <ChoiceCard integration={integration} answer={answer} />}
      {notes && <NotesCard isOn={notes.isOn} integration={integration} />}
      {changes.length > 0 && <ChangesCard changes={changes} name={integration.name} />}
      {refused.length > 0 && <RefusedCard refused={refused} name={integration.name} />}
    </>
  );
}

function StateCard({ integration }: { integration: ShownIntegration }) {
  const { name, status, statusWord, ledgerName, summary, isReading, lastSync, error } = integration;
  const isOn = status === "connected" || status === "broken" || status === "choosing";
  return (
    <Card title={name}>
      <p className="flex flex-wrap items-center gap-2">
        <IntegrationBadge status={status} statusWord={statusWord} />
        {ledgerName && <span className="font-medium">{ledgerName}</span>}
      </p>
      {error && <Callout tone={status === "broken" ? "danger" : "warning"} title={error} className="mt-4" />}
      {isReading && (
        <p role="status" className="mt-4">
          Suppliers and bills are being read. {summary}
        </p>
      )}
      {!isReading && lastSync && (
        <p className="mt-4 max-w-[70ch]">
          Last read <Time {...lastSync} />. {summary}
        </p>
      )}
      <p className="mt-4 max-w-[70ch] text-ink-soft text-sm">
        Suppliers with a bank account become payees, and each is verified here. For the second-person rule, they count
        as entered by whoever edited them in {name}, if it says who, and by whoever connected it. A bank account that
        changes in {name} is never copied automatically: the payee keeps its details, its payments are held, and a
        person decides. Payments are compared with approved bills: a different account or amount is a reason to hold
        them. {integration.outcomeSentence} Nothing is deleted here when it is deleted there.
      </p>
      <Acts integration={integration} />
      {isOn && (
        <details className="mt-4">
          <summary className="cursor-pointer text-accent-text text-sm underline underline-offset-2">
            Disconnect {name}
          </summary>
          <p className="my-2">PayeeProof ends its access there. Your payees and their history stay.</p>
          <ButtonForm intent="disconnect" variant="danger">
            Disconnect
          </ButtonForm>
        </details>
      )}
    </Card>
  );
}

/** The actions in this state; none while the books have to be chosen. */
function Acts({ integration: { system, name, status } }: { integration: ShownIntegration }) {
  if (status === "choosing") return null;
  return (
    <div className="mt-4 flex flex-wrap gap-3">
      {status === "connected" ? (
        <>
          <ButtonForm intent="sync">Read changes now</ButtonForm>
          <ButtonForm intent="sync-all">Read everything again</ButtonForm>
        </>
      ) : (
        <Button to={appPaths.connectIntegration(system)}>
          {status === "broken" ? "Connect again" : `Connect ${name}`}
        </Button>
      )}
    </div>
  );
}

/** Notes in suppliers' histories in the accounting system. */
function NotesCard({ isOn, integration: { system, name } }: { isOn: boolean; integration: ShownIntegration }) {
  return (
    <Card title={`Notes in ${name}`}>
      <p className="max-w-[70ch]">
        {isOn
          ? `When a verification is approved, PayeeProof notes in the history of the contact in ${name} that its bank details were verified, with the date and the last digits of the account.`
          : `PayeeProof writes nothing to ${name}. You can let it add a note to the history of a contact when its bank details are verified, with the date and the last digits of the account. ${name} then asks you again, for permission to change contacts, because it has no narrower permission.`}
      </p>
      <div className="mt-4">
        {isOn ? (
          <ButtonForm intent="stop-notes">Stop writing notes</ButtonForm>
        ) : (
          <Button to={appPaths.connectIntegrationWithNotes(system)} variant="secondary">
            Allow notes
          </Button>
        )}
      </div>
    </Card>
  );
}

function ChoiceCard({ integration, answer }: { integration: ShownIntegration; answer?: FormAnswer }) {
  return (
    <Card
      title="Which books?"
      description={`You allowed access to several sets of books in ${integration.name}. Choose the one to read.`}
    >
      <PostForm answer={answerTo(answer, "choose")} className="grid gap-5">
        <RadioGroup
          name="ledgerId"
          label="Books"
          required
          options={integration.choices.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <div>
          <SubmitButton name="intent" value="choose" pendingText="Connecting...">
            Read suppliers from these books
          </SubmitButton>
        </div>
      </PostForm>
    </Card>
  );
}

function ChangesCard({ changes, name }: { changes: readonly ShownChange[]; name: string }) {
  return (
    <Card
      flush
      title={`Different bank details in ${name}`}
      description="Payments to these payees are held until you decide."
    >
      <ul className="divide-y divide-line border-line border-t">
        {changes.map((change) => (
          <li key={change.key} className="px-5 py-4">
            <Link to={change.href} className={linkClass}>
              {change.payeeName}
            </Link>
            <p className="figures mt-1 text-sm">
              Here {change.ours.bsb} {change.ours.accountNumber}, there{" "}
              {change.theirs
                ? `${change.theirs.bsb} ${change.theirs.accountNumber}`
                : "something that cannot be read as an account"}
            </p>
            <p className="mt-1 text-ink-soft text-sm">
              Noticed <Time {...change.noticed} />
              {change.editedBy && `, last edited there by ${change.editedBy}`}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function RefusedCard({ refused, name }: { refused: IntegrationPageProps["refused"]; name: string }) {
  return (
    <Card flush title="Suppliers that were not added" description={`Correct their bank account in ${name}.`}>
      <ul className="divide-y divide-line border-line border-t">
        {refused.map((contact) => (
          <li key={contact.id} className="px-5 py-3">
            <p className="font-medium">{contact.name}</p>
            <p className="text-ink-soft text-sm">{contact.note}</p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
