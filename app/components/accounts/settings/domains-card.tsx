import { Form } from "~/components/forms/form";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { SubmitButton } from "~/components/forms/submit-button";
import { CellNote, Table, Td, Th, Tr } from "~/components/tables/table";
import { Badge } from "~/components/ui/badge";
import { Card } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import type { ClaimState } from "~/modules/accounts/organizations/domains/domains";

export interface DomainRow {
  id: string;
  domain: string;
  isPrimary: boolean;
  autoApprove: boolean;
  /** The day it was claimed, ready to read. */
  claimedOn: string;
}

interface DomainsCardProps {
  rows: readonly DomainRow[];
  canAdminister: boolean;
}

/** The email domains an organisation has claimed, and how people with an address in them come in. */
export function DomainsCard({ rows, canAdminister }: DomainsCardProps) {
  return (
    <Card
      title="Email domains"
      description="People with a confirmed address in one of these can ask to join. If you choose to approve them automatically, no one has to approve each person."
      flush
    >
      {rows.length === 0 ? (
        <EmptyState icon="mail" title="No domain claimed" headingLevel={3}>
          Until one is, people join by invitation only.
        </EmptyState>
      ) : (
        <Table
          caption="Email domains"
          head={
            <>
              <Th>Domain</Th>
              <Th>Claim</Th>
              <Th>People with an address in it</Th>
              {canAdminister && <Th hidden>Actions</Th>}
            </>
          }
        >
          {rows.map((row) => (
            <Tr key={row.id}>
              <Td>
                <span className="font-medium">{row.domain}</span>
                {row.isPrimary && <CellNote>Primary</CellNote>}
              </Td>
              <Td label="Claim">
                <Badge tone="verified">Claimed</Badge>
                <CellNote>{row.claimedOn}</CellNote>
              </Td>
              <Td label="People">{row.autoApprove ? "Come in at once" : "Wait for an administrator"}</Td>
              {canAdminister && (
                <Td actions>
                  <DomainActions row={row} />
                </Td>
              )}
            </Tr>
          ))}
        </Table>
      )}
    </Card>
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
export function ClaimCard({ claim }: { claim: { domain: string; state: ClaimState } }) {
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
