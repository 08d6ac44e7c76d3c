import { useActionData, useLoaderData } from "@remix-run/react";
import type * as z from "zod";
import { AdminsOnly, Copied, SettingsPage } from "~/components/accounts/settings/settings-page";
import { Form, type FormAnswer, HiddenFields, keepWhatWasTyped, SubmitButton } from "~/components/forms/form";
import { RefusedAct } from "~/components/forms/refused-act";
import { ListCard } from "~/components/tables/list-card";
import { CellNote } from "~/components/tables/table";
import { Badge, Callout } from "~/components/ui/elements";
import { Card, named } from "~/components/ui/page-parts";
import { formAction, page, pageAdmin, pageMember, parseForm } from "~/http/page.server";
import { formatDateTime } from "~/kernel/dates";
import { appPaths } from "~/kernel/paths/app";
import {
  changeDomain,
  claimOwnDomain,
  type DomainChange,
  domainPostSchema,
  proveDomain,
  readDomainsPage,
} from "~/modules/accounts/organizations/domains.server";
import type { ClaimState } from "~/modules/accounts/organizations/organization";
import type { Actor, Services } from "~/services-and-actor";

type DomainRow = Awaited<ReturnType<typeof readDomainsPage>>["rows"][number];

interface DomainsCardProps {
  rows: readonly DomainRow[];
  canAdminister: boolean;
}

/** The email domains that an organisation has claimed, and how people with an address there join. */
function DomainsCard({ rows, canAdminister }: DomainsCardProps) {
  return (
    <ListCard
      label="Email domains"
      title="Email domains"
      description="People with a confirmed address in one of these can ask to join. If you choose to approve them automatically, they join at once with read-only access, until an administrator gives them another role."
      rows={rows}
      columns={[
        {
          head: "Domain",
          cell: (row) => (
            <>
              <span className="font-medium">{row.domain}</span>
              {row.isPrimary && <CellNote>Primary</CellNote>}
            </>
          ),
        },
        {
          head: "Claim",
          cell: (row) => (
            <>
              {row.gone ? (
                <Badge tone="pending">DNS record missing</Badge>
              ) : (
                <Badge tone={row.isProved ? "verified" : "neutral"}>{row.isProved ? "Proved by DNS" : "Claimed"}</Badge>
              )}
              <CellNote>{row.isProved ? row.provedOn : row.claimedOn}</CellNote>
            </>
          ),
        },
        {
          head: "People with an address in it",
          name: "People",
          cell: (row) => (row.autoApprove ? "Join at once, with read-only access" : "Wait for an administrator"),
        },
        canAdminister && { head: "Actions", actions: true, cell: (row) => <DomainActions row={row} /> },
      ]}
      empty={{
        icon: "mail",
        title: "No domain claimed",
        children: "Until one is, people join by invitation only.",
      }}
    />
  );
}

function DomainActions({ row }: { row: DomainRow }) {
  return (
    <Form method="post" className="flex flex-wrap gap-2 sm:justify-end">
      <HiddenFields values={{ id: row.id }} />
      <SubmitButton
        name="intent"
        value={row.autoApprove ? "distrust" : "trust"}
        variant="secondary"
        size="sm"
        pendingText="Saving..."
      >
        {row.autoApprove ? "Ask an administrator" : "Approve automatically"}
        <span className="sr-only"> for {row.domain}</span>
      </SubmitButton>
      {!row.isPrimary && (
        <SubmitButton name="intent" value="make_primary" variant="secondary" size="sm" pendingText="Saving...">
          Make primary<span className="sr-only">: {row.domain}</span>
        </SubmitButton>
      )}
      <SubmitButton name="intent" value="remove" variant="quiet" size="sm" pendingText="Removing...">
        Remove<span className="sr-only"> {row.domain}</span>
      </SubmitButton>
    </Form>
  );
}

const CLAIM_TEXTS: Readonly<Record<Exclude<ClaimState, "claimed">, (domain: string) => string>> = {
  claimable: (domain) => `You have confirmed an address at ${domain}, so you can claim it for your organisation.`,
  unconfirmed: (domain) => `Confirm your own address at ${domain} first: we sent you a link.`,
  mail_provider: (domain) =>
    `${domain} belongs to an email provider, where anyone can have an address, so no one can claim it.`,
};

/** The domain of the admin's own address, and whether it can be claimed. */
function ClaimCard({ claim }: { claim: { domain: string; state: ClaimState } }) {
  if (claim.state === "claimed") return null;
  return (
    <Card title={`Claim ${claim.domain}`} description={CLAIM_TEXTS[claim.state](claim.domain)}>
      {claim.state === "claimable" && (
        <Form method="post">
          <SubmitButton name="intent" value="claim" pendingText="Claiming...">
            Claim {claim.domain}
          </SubmitButton>
        </Form>
      )}
    </Card>
  );
}

/** A mailbox is enough to claim a domain; a DNS record proves it. */
function ProofCard({ rows }: Pick<DomainsCardProps, "rows">) {
  const open = rows.flatMap(({ proof, ...row }) => (proof ? [{ ...row, proof }] : []));
  if (open.length === 0) return null;
  return (
    <Card
      title="Prove a domain by DNS"
      description="Anyone with a mailbox in a domain can claim it. Whoever controls its DNS decides who owns it: once a TXT record there names your organisation, no other organisation's claim counts when people sign in with their company. We look for the record again every month, and before we link an account by it."
    >
      <ul className="grid gap-3">
        {open.map(({ id, domain, state, gone, proof }) => (
          <li key={id}>
            {gone && (
              <Callout tone="warning" title={`The record of ${domain} is missing`} className="mb-3">
                <p>
                  It was not there on {gone.since}. If it is not back by {gone.again}, the domain is no longer proved.
                </p>
              </Callout>
            )}
            <details open={gone !== null || state !== "open"}>
              <summary className="cursor-pointer text-accent-text text-base">Record for {domain}</summary>
              <dl className="mt-3 grid gap-4">
                <Copied label="Name of the TXT record">{proof.name}</Copied>
                <Copied label="Its text">{proof.text}</Copied>
              </dl>
              <Form method="post" className="mt-4">
                <HiddenFields values={{ id }} />
                <SubmitButton name="intent" value="prove" variant="secondary" pendingText="Looking...">
                  Look for the record<span className="sr-only"> of {domain}</span>
                </SubmitButton>
              </Form>
            </details>
          </li>
        ))}
      </ul>
    </Card>
  );
}

export const { meta, ErrorBoundary } = named("Email domains · Settings", "Error Loading Settings");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  return readDomainsPage(scope.services, actor);
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageAdmin(scope);
  return formAction(scope, async (form) => {
    const title = await act(scope.services, actor, parseForm(form, domainPostSchema));
    return { to: appPaths.domains, flash: { tone: "success", title } };
  });
});

export const clientAction = keepWhatWasTyped;

type Post = z.infer<typeof domainPostSchema>;

const CHANGES: Record<Exclude<Post["intent"], "claim" | "prove">, DomainChange> = {
  make_primary: { act: "make_primary" },
  remove: { act: "remove" },
  trust: { act: "auto_approve", on: true },
  distrust: { act: "auto_approve", on: false },
};

const TITLES: Record<Post["intent"], string> = {
  claim: "claimed",
  make_primary: "is now the primary domain",
  remove: "removed",
  trust: "now approves people automatically",
  distrust: "now asks an administrator",
  prove: "is proved",
};

/** Runs the requested action. @returns the message about the domain */
async function act(services: Services, actor: Actor, post: Post): Promise<string> {
  if (post.intent === "claim") return `${await claimOwnDomain(services, actor)} ${TITLES.claim}`;
  if (post.intent === "prove") return `${await proveDomain(services, actor, post)} ${TITLES.prove}`;
  const { domain, waitsUntil } = await changeDomain(services, actor, { id: post.id, change: CHANGES[post.intent] });
  if (waitsUntil !== null) {
    return `${domain} approves people automatically from ${formatDateTime(waitsUntil, actor.timeZone)}, unless an administrator cancels it`;
  }
  return `${domain} ${TITLES[post.intent]}`;
}

export default function Domains() {
  const { rows, claim, canAdminister: isAdmin } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <SettingsPage description="Which email addresses belong to your organisation.">
      <RefusedAct answer={answer} />
      {!isAdmin && <AdminsOnly />}
      <DomainsCard rows={rows} canAdminister={isAdmin} />
      {isAdmin && <ProofCard rows={rows} />}
      {isAdmin && <ClaimCard claim={claim} />}
    </SettingsPage>
  );
}
