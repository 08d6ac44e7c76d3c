import { ListCard } from "~/components/tables/list-card";
import { Badge, Button, Link, type Tone } from "~/components/ui/elements";
import { Card, Time } from "~/components/ui/page-parts";
import { appPaths } from "~/kernel/paths/app";
import { sitePaths } from "~/kernel/paths/site";
import type { ShownIntegration } from "~/modules/connections/integration.view";

const TONES: Readonly<Record<ShownIntegration["status"], Tone>> = {
  none: "neutral",
  choosing: "pending",
  connected: "verified",
  broken: "review",
  disconnected: "neutral",
};

export const IntegrationBadge = ({ status, statusWord }: Pick<ShownIntegration, "status" | "statusWord">) => (
  <Badge tone={TONES[status]}>{statusWord}</Badge>
);

/** Every system that can be connected, with its state. */
export function IntegrationList({ integrations }: { integrations: readonly ShownIntegration[] }) {
  return (
    <ListCard
      label="Accounting systems"
      title="Accounting systems"
      description="If your organisation requires a second person, someone other than the person who connects a system has to approve the bank details that come from it."
      rows={integrations}
      keyOf={({ system }) => system}
      item={(integration) => <IntegrationItem {...integration} />}
      itemClass="flex flex-wrap items-start justify-between gap-4 px-5 py-4 sm:flex-nowrap"
      empty={{
        icon: "link",
        title: "No accounting system is set up",
        children: "This installation of PayeeProof cannot connect one yet. Import your suppliers from a file instead.",
      }}
    />
  );
}

function IntegrationItem({ system, name, status, statusWord, ledgerName, lastSync, error }: ShownIntegration) {
  const isConnected = status === "connected" || status === "choosing";
  return (
    <>
      <div className="min-w-0 max-sm:w-full">
        <p className="flex flex-wrap items-center gap-2">
          <Link to={appPaths.integration(system)} className="font-medium text-accent-text underline underline-offset-2">
            {name}
          </Link>
          <IntegrationBadge status={status} statusWord={statusWord} />
        </p>
        {ledgerName && <p className="mt-1 text-sm">{ledgerName}</p>}
        {lastSync && (
          <p className="mt-1 text-ink-soft text-sm">
            Last read <Time {...lastSync} />
          </p>
        )}
        {error && <p className="mt-1 max-w-[70ch] text-review text-sm">{error}</p>}
      </div>
      {isConnected ? (
        <Button to={appPaths.integration(system)} variant="secondary">
          Manage
        </Button>
      ) : (
        <Button to={appPaths.connectIntegration(system)}>Connect {name}</Button>
      )}
    </>
  );
}

const linkClass = "text-accent-text underline underline-offset-2";

/** Advice for people with another system. */
export function OtherSystems() {
  return (
    <Card title="Other systems">
      <p className="max-w-[70ch]">
        From any other system, export your suppliers as CSV or Excel and{" "}
        <Link to={appPaths.imports} className={linkClass}>
          import the file
        </Link>
        . Payment files in ABA or CSV are{" "}
        <Link to={appPaths.paymentFiles} className={linkClass}>
          checked before they go to the bank
        </Link>
        . A system of your own can use the{" "}
        <Link to={sitePaths.apiDocs} className={linkClass}>
          API
        </Link>{" "}
        and{" "}
        <Link to={appPaths.webhooks} className={linkClass}>
          webhooks
        </Link>
        .
      </p>
    </Card>
  );
}
