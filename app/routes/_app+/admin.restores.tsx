import { useActionData, useLoaderData } from "@remix-run/react";
import { AdminPage } from "~/components/accounts/admin/admin-page";
import { Checkbox } from "~/components/forms/fields";
import {
  Form,
  type FormAnswer,
  FormErrorSummary,
  HiddenFields,
  keepWhatWasTyped,
  SubmitButton,
} from "~/components/forms/form";
import { ListCard } from "~/components/tables/list-card";
import { Callout } from "~/components/ui/elements";
import { EmptyState } from "~/components/ui/empty-state";
import { Card, named, Time } from "~/components/ui/page-parts";
import { formAction, page, parseForm, permit, requireRole } from "~/http/page.server";
import { PLATFORM_ROLES } from "~/kernel/access";
import { appPaths } from "~/kernel/paths/app";
import {
  type RestoreReport,
  readRestorePage,
  releasePostSchema,
  releaseRestore,
} from "~/modules/records/restores/restores.server";
import { DEFAULT_POLICY } from "~/modules/rules/policy-fields";

export const { meta, ErrorBoundary } = named("Restores", "Error Loading Restores");

export const loader = /* @__PURE__ */ page(async (scope) => {
  permit(await requireRole(scope, PLATFORM_ROLES), "platform");
  const { services } = scope;
  const zone = { timeZone: DEFAULT_POLICY.timeZone, now: services.clock.now() };
  return readRestorePage(services, zone);
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const { userId, origin } = permit(await requireRole(scope, PLATFORM_ROLES), "platform");
  const release = async (form: FormData) => {
    await releaseRestore(scope.services, { userId, origin }, parseForm(form, releasePostSchema));
    const description = "Organisations are told which time was lost.";
    return {
      to: appPaths.restores,
      flash: { tone: "success", title: "PayeeProof is no longer on hold", description } as const,
    };
  };
  return formAction(scope, release, { title: "PayeeProof is still on hold" });
});

export const clientAction = keepWhatWasTyped;

export default function Restores() {
  const { held, past } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <AdminPage title="Restores" scope="Every organisation">
      <FormErrorSummary title={answer?.title} errors={answer?.errors ?? {}} formErrors={answer?.formErrors ?? []} />
      {held ? (
        <>
          <Report {...held} />
          <Release {...held} error={answer?.errors.read} />
        </>
      ) : (
        <Card title="Restores">
          <EmptyState icon="checkCircle" mood="done" title="PayeeProof is not on hold" headingLevel={3}>
            After a restore of the database this page says what was lost, and nothing is sent or authorised until
            someone has read it.
          </EmptyState>
        </Card>
      )}
      {past.length > 0 && (
        <ListCard
          label="Earlier restores"
          title="Earlier restores"
          rows={past}
          keyOf={({ id }) => id}
          columns={[
            { head: "What happened", cell: ({ source }) => source },
            { head: "Lost from", cell: ({ from }) => <Time {...from} /> },
            { head: "Until", cell: ({ until }) => <Time {...until} /> },
            { head: "Released", cell: ({ released }) => <Time {...released} /> },
            { head: "Organisations", cell: ({ told }) => told },
          ]}
        />
      )}
    </AdminPage>
  );
}

function Report(report: RestoreReport) {
  const { isRead, isLost, noticed, from, until, source, acts } = report;
  return (
    <>
      <Callout tone="danger" title="PayeeProof is on hold">
        It was noticed <Time {...noticed} /> that {source}.{" "}
        {isLost ? (
          <>
            What was done from <Time {...from} /> to <Time {...until} /> is lost.
          </>
        ) : (
          "Nothing is known to be lost."
        )}{" "}
        Nothing is sent and nothing is authorised until the hold is released.
      </Callout>
      {!isRead && (
        <Callout tone="warning" title="What was lost is still being read">
          Load this page again in two minutes. It is complete when this note is gone.
        </Callout>
      )}
      <Card title="What providers know">
        <ul className="grid list-disc gap-2 pl-5 text-base">
          <li>Messages that went out in the lost time: {report.sent}. None of them is sent again.</li>
          <li>
            {report.bankUsers === null
              ? "The bank data provider could not be asked: it is not known which checks it began. Load this page again."
              : `Bank checks that the provider began and that are lost here: ${report.bankUsers}. The provider deletes what it holds about them within an hour of the release.`}
            {report.isBeyondBankData && " This covers the last seven days only."}
          </li>
          <li>
            {report.cards === null
              ? "The card provider could not be asked: it is not known which customers and subscriptions it made. Load this page again."
              : `Made by the card provider and lost here: customers ${report.cards.customers}, subscriptions ${report.cards.subscriptions}. Every customer that is known here is read again overnight.`}
          </li>
          <Connections {...report.connections} />
        </ul>
      </Card>
      {report.payments.length > 0 && (
        <ListCard
          label="Lost payments"
          title="Payments recorded, approved or cleared in the lost time"
          description="The largest first. A payment of the same amount to the same account is held for 30 days."
          rows={report.payments}
          keyOf={({ id }) => id}
          columns={[
            { head: "Amount", cell: ({ amount }) => <span className="figures">{amount}</span> },
            { head: "Organisation", cell: ({ organization }) => organization },
            { head: "When", cell: ({ at }) => <Time {...at} /> },
          ]}
        />
      )}
      <LostList title="Payment files cleared in the lost time" rows={report.files} />
      <LostList title="Access and trust that were removed in the lost time and are now back" rows={report.access} />
      {acts.length > 0 && (
        <ListCard
          label="Lost acts"
          title="Everything that is known to be lost"
          rows={acts}
          keyOf={({ label }) => label}
          dense
          columns={[
            { head: "Act", cell: ({ label }) => label },
            { head: "How often", cell: ({ count }) => count },
            { head: "Organisations", cell: ({ organizations }) => organizations },
          ]}
        />
      )}
    </>
  );
}

/** Tokens are renewed on each use, so those used in the lost period are not the ones in this database. */
function Connections({ good, ended, silent, unasked }: RestoreReport["connections"]) {
  if (good + ended.length + silent + unasked === 0) return <li>No accounting system is connected.</li>;
  return (
    <li>
      Connections to accounting systems that still work: {good}.
      {ended.length > 0 && " These organisations have to connect again:"}
      {ended.length > 0 && (
        <ul className="list-disc pl-5">
          {ended.map(({ id, organization, system }) => (
            <li key={id}>
              {organization}, {system}
            </li>
          ))}
        </ul>
      )}
      {silent > 0 && ` Could not be asked, and are asked again each minute: ${silent}.`}
      {unasked > 0 && ` Not asked yet: ${unasked}. Load this page again in a minute.`}
    </li>
  );
}

function LostList({ title, rows }: { title: string; rows: RestoreReport["files"] }) {
  if (rows.length === 0) return null;
  return (
    <ListCard
      label={title}
      title={title}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { head: "Act", cell: ({ label }) => label },
        { head: "Organisation", cell: ({ organization }) => organization },
        { head: "When", cell: ({ at }) => <Time {...at} /> },
      ]}
    />
  );
}

function Release({ restoreId, isRead, error }: RestoreReport & { error?: string[] }) {
  if (!isRead) return null;
  return (
    <Card title="Release the hold">
      <Form method="post" noValidate className="grid gap-5">
        <HiddenFields values={{ restoreId }} />
        <Checkbox
          name="read"
          label="I have read what was lost, and this database is the one to continue with"
          error={error}
        />
        <div>
          <SubmitButton pendingText="Releasing...">Release the hold</SubmitButton>
        </div>
      </Form>
    </Card>
  );
}
