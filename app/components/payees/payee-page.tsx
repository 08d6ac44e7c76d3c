import { Link } from "@remix-run/react";
import { AccountChangeCallout } from "~/components/connections/account-change";
import { Form } from "~/components/forms/form";
import { HiddenFields, SubmitButton } from "~/components/forms/post-form";
import { RefusedAct } from "~/components/forms/refused-act";
import { EvidenceLinks } from "~/components/payees/evidence/evidence-links";
import { GradeNote } from "~/components/payees/verification/grade-note";
import { CellNote, Table, Td, Th, Tr } from "~/components/tables/table";
import { Badge, type Tone } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { Callout } from "~/components/ui/callout";
import { Card } from "~/components/ui/card";
import { DefinitionList } from "~/components/ui/definition-list";
import { AccountNumber, Bsb, Digits } from "~/components/ui/digits";
import { Email } from "~/components/ui/email";
import type { IconName } from "~/components/ui/icons";
import { PageHeader } from "~/components/ui/page-header";
import { StatusBadge } from "~/components/ui/status-badge";
import { Time } from "~/components/ui/time";
import { Timeline, type TimelineEvent } from "~/components/ui/timeline";
import { ChangeMark, VerdictBadge } from "~/components/verifying/verdict-badge";
import { formatAbn } from "~/kernel/abn";
import type { FormAnswer } from "~/kernel/form-answer";
import { formatAud } from "~/kernel/money";
import { appPaths } from "~/kernel/paths/app";
import { FIELD_LABELS } from "~/kernel/payee";
import type { ShownTime } from "~/kernel/shown-time";
import { lowerFirst } from "~/kernel/text";
import type { ShownChange } from "~/modules/connections/integration.view";
import type { AuditAction } from "~/modules/core/audit/audit";
import type { PayeeView, TimelineEntry } from "~/modules/payees/payee.view";
import { ContactsToldCallout } from "./contacts-told";
import { DetailsOrigin } from "./details-origin";
import { FormerHolders, PayeeFlags } from "./payee-flags";
import { PayeeStatusBadge } from "./payee-status-badge";
import { RegisterCard } from "./register-card";
import { TrustCard } from "./trust-card";

const LOOKS: Partial<Record<AuditAction, { icon: IconName; tone?: Tone }>> = {
  "payee.added": { icon: "plus" },
  "payee.added_by_payee": { icon: "plus" },
  "payee.edited": { icon: "pencil" },
  "payee.bank_details_changed": { icon: "pencil", tone: "review" },
  "payee.contact_not_told": { icon: "alert", tone: "review" },
  "payee.renamed": { icon: "pencil", tone: "review" },
  "payee.details_restored": { icon: "refresh", tone: "review" },
  "payee.whitelisted": { icon: "shieldCheck", tone: "verified" },
  "payee.promoted": { icon: "shieldCheck", tone: "verified" },
  "verification.disputed_by_payee": { icon: "hand", tone: "review" },
  "payee.archived": { icon: "file" },
  "payee.restored": { icon: "refresh" },
  "payee.filled": { icon: "pencil" },
  "payee.unwhitelisted": { icon: "shield", tone: "review" },
};

/** How sentences begin about what the payee did. */
const BY_PAYEE = "The payee ";

function toEvent({ id, action, sentence, userName, when, changes, reason }: TimelineEntry): TimelineEvent {
  const isByPayee = sentence.startsWith(BY_PAYEE);
  return {
    id,
    icon: "dash",
    ...LOOKS[action],
    who: userName ?? (isByPayee ? BY_PAYEE.trim() : "PayeeProof"),
    what: isByPayee ? sentence.slice(BY_PAYEE.length) : lowerFirst(sentence),
    when,
    changes,
    note: reason ?? undefined,
  };
}

/** What has happened to the payee, from the audit trail. */
function PayeeTimeline({ entries }: { entries: readonly TimelineEntry[] }) {
  return <Timeline label="History of the payee" events={entries.map(toEvent)} />;
}

interface PayeePageProps {
  payee: PayeeView;
  returned: ShownReturn | null;
  accountChanges: readonly ShownChange[];
  /** What accounting systems say of payments that were not recorded here; empty: nothing. */
  seenPayments: string;
  canWrite: boolean;
  answer?: FormAnswer;
}

/** One payee: what it is, how far it is trusted, and everything that happened to it. */
export function PayeePage({ payee, returned, accountChanges, seenPayments, canWrite, answer }: PayeePageProps) {
  return (
    <div className="contents" data-red={payee.headline.isRed || undefined}>
      <PageHeader
        title={payee.name}
        breadcrumb={[{ label: "Payees", to: appPaths.payees }]}
        badges={
          <>
            <PayeeStatusBadge status={payee.status} headline={payee.headline} />
            <GradeNote grade={payee.grade} />
            {payee.draftSince && (
              <Badge tone="pending" icon="pencil">
                Draft
              </Badge>
            )}
            {payee.isArchived && (
              <Badge tone="neutral" icon="file">
                Archived
              </Badge>
            )}
          </>
        }
        actions={canWrite && <PayeeActions payee={payee} />}
      />
      <RefusedAct answer={answer} />
      {payee.draftSince && (
        <Callout tone="info" title="The payee sent these details itself" className="mb-6">
          It has been a draft since {payee.draftSince.exact}: payments to it are held. Approving its verification
          accepts it.
        </Callout>
      )}
      <AccountChangeCallout changes={accountChanges} />
      <DetailsOrigin origin={payee.origin} />
      <PayeeFlags flags={payee.flags} formerHolders={payee.formerHolders} />
      <ContactsToldCallout told={payee.contactsTold} />
      <ReturnedPayment returned={returned} />
      {seenPayments && (
        <Callout tone="info" title="Payments seen in your accounting system" className="mb-6">
          {seenPayments}
        </Callout>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(18rem,1fr)] lg:grid-rows-[auto_1fr]">
        <div className="grid min-w-0 gap-6">
          <BankDetailsCard payee={payee} />
          <ContactCard payee={payee} />
          {payee.register && <RegisterCard register={payee.register} />}
        </div>
        <div className="grid min-w-0 gap-6 lg:col-start-2 lg:row-span-2 lg:row-start-1">
          <VerificationsCard payee={payee} canWrite={canWrite} />
          <TrustCard payee={payee} canWrite={canWrite} answer={answer} />
          <Card title="History">
            <PayeeTimeline entries={payee.timeline} />
            <EvidenceLinks
              pdfHref={appPaths.payeeEvidencePdf(payee.id)}
              jsonHref={appPaths.payeeEvidence(payee.id)}
              auditHref={appPaths.auditOf("payee", payee.id)}
            />
          </Card>
        </div>
        <ChangesCard changes={payee.changes} />
      </div>
    </div>
  );
}

function PayeeActions({ payee }: { payee: PayeeView }) {
  return (
    <>
      <Form method="post">
        <HiddenFields values={{ intent: payee.isArchived ? "restore" : "archive" }} />
        <Button type="submit" variant="quiet">
          {payee.isArchived ? "Restore" : "Archive"}
        </Button>
      </Form>
      <Button to={appPaths.editPayee(payee.id)} variant="secondary" icon="pencil">
        Edit
      </Button>
    </>
  );
}

/** What was changed of the payee, field by field, newest first. */
function ChangesCard({ changes }: { changes: PayeeView["changes"] }) {
  return (
    <Card title="Changes" flush>
      {changes.length === 0 ? (
        <p className="px-5 pb-5 text-base text-ink-soft">
          Nothing has been changed. Every change of the payee is kept here.
        </p>
      ) : (
        <Table
          caption="Changes"
          head={
            <>
              <Th>Field</Th>
              <Th>From</Th>
              <Th>To</Th>
              <Th>Changed by</Th>
            </>
          }
        >
          {changes.map((change) => (
            <Tr key={change.id}>
              <Td>
                <span className="font-medium">{change.field}</span>
              </Td>
              <Td label="From">
                <span className="figures break-words text-ink-soft">{change.from ?? "none"}</span>
              </Td>
              <Td label="To">
                <span className="figures break-words">{change.to ?? "none"}</span>
              </Td>
              <Td label="Changed by">
                {change.by}
                <CellNote>
                  <Time {...change.at} stacked />
                </CellNote>
              </Td>
            </Tr>
          ))}
        </Table>
      )}
    </Card>
  );
}

const Missing = () => <span className="text-ink-soft">Not given</span>;

/** Where the money goes, in full. */
function BankDetailsCard({ payee }: { payee: PayeeView }) {
  const { details, institution, hasUnusualLength, formerHolders, ownFormerAccount, flags } = payee;
  // Where it speaks against the payee it stands above.
  const told = flags.includes("former_account") ? [] : formerHolders;
  return (
    <Card title="Bank details" description="Shown in full here; looking at them is recorded.">
      <DefinitionList
        columns={2}
        items={[
          { term: FIELD_LABELS.accountName, value: <span className="font-medium">{details.accountName}</span> },
          {
            term: "Institution",
            value: institution ? (
              <>
                {[institution.name, institution.branch].filter(Boolean).join(", ")}
                {institution.problem && <span className="block text-review text-sm">{institution.problem}</span>}
              </>
            ) : (
              <span className="text-review">No institution is known for this BSB</span>
            ),
          },
          { term: FIELD_LABELS.bsb, value: <Bsb value={details.bsb} className="font-medium" /> },
          {
            term: FIELD_LABELS.accountNumber,
            value: (
              <>
                <AccountNumber value={details.accountNumber} className="font-medium" />
                {hasUnusualLength && (
                  <span className="block text-pending text-sm">An unusual length at this institution</span>
                )}
              </>
            ),
          },
        ]}
      />
      {(told.length > 0 || ownFormerAccount) && (
        <div className="mt-4 grid gap-1 text-base text-ink-soft">
          <FormerHolders holders={told} />
          {ownFormerAccount && <p>{ownFormerAccount}</p>}
        </div>
      )}
    </Card>
  );
}

/** Who is behind it, and how to reach them. */
function ContactCard({ payee }: { payee: PayeeView }) {
  const { details, phoneShown, addedAt, payments } = payee;
  return (
    <Card title="Payee">
      <DefinitionList
        columns={2}
        items={[
          { term: FIELD_LABELS.abn, value: details.abn ? <Digits>{formatAbn(details.abn)}</Digits> : <Missing /> },
          {
            term: FIELD_LABELS.email,
            value: details.email ? <Email value={details.email} /> : <Missing />,
          },
          { term: FIELD_LABELS.phone, value: phoneShown ? <Digits>{phoneShown}</Digits> : <Missing /> },
          {
            term: FIELD_LABELS.address,
            value: details.address ? <span className="whitespace-pre-line">{details.address}</span> : <Missing />,
          },
          { term: "Added", value: addedAt.exact },
          {
            term: "Successful payments",
            value: payments.last ? `${payments.count}, the last on ${payments.last.exact}` : String(payments.count),
          },
        ]}
      />
    </Card>
  );
}

interface ShownReturn {
  paymentId: string;
  amount: number;
  reference: string | null;
  reason: string | null;
  at: ShownTime;
}

/** The payee's last payment came back: said before a person pays it again. */
function ReturnedPayment({ returned }: { returned: ShownReturn | null }) {
  if (!returned) return null;
  const { paymentId, amount, reference, reason, at } = returned;
  return (
    <Callout tone="danger" title="The last payment to this payee came back" className="mb-6">
      <Link to={appPaths.payment(paymentId)} className="font-medium text-accent-text underline underline-offset-2">
        {formatAud(amount)}
        {reference && `, ${reference}`}
      </Link>
      , failed <Time {...at} />: {reason ?? "no reason was given"}. Ask the payee, on a number you already know, whether
      the account is still right.
    </Callout>
  );
}

/** The payee's verifications, newest first, and the way to a new one while none is waiting. */
function VerificationsCard({ payee, canWrite }: { payee: PayeeView; canWrite: boolean }) {
  const { verifications, verdict } = payee;
  const [latest] = verifications;
  const isWaiting = latest?.status === "pending";
  const isNeeded = latest?.status === "failed" || latest?.status === "rejected";
  return (
    <Card title="Verification">
      <ul className="divide-y divide-line">
        {verifications.map((verification, index) => (
          <li key={verification.id} className="flex flex-wrap items-center justify-between gap-2 py-2.5 first:pt-0">
            <div className="min-w-0">
              <Link
                to={appPaths.verification(verification.id)}
                className="font-medium text-accent-text underline underline-offset-2"
              >
                {index === 0 ? "Latest verification" : "Earlier verification"}
              </Link>
              <Time {...verification.openedAt} className="block text-ink-soft text-sm" />
              {verification.grade && <span className="block text-ink-soft text-sm">{verification.grade}</span>}
            </div>
            {verification.id === verdict?.verificationId ? (
              <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
                {verdict.change && <ChangeMark change={verdict.change} />}
                <VerdictBadge verdict={verdict} />
              </span>
            ) : (
              <StatusBadge of="verification" status={verification.status} />
            )}
          </li>
        ))}
      </ul>
      {verdict && <p className="mt-2 text-base text-ink-soft">{verdict.next}</p>}
      {canWrite && !isWaiting && (
        <Form method="post" className="mt-4">
          <SubmitButton
            name="intent"
            value="verify"
            variant={isNeeded ? "primary" : "secondary"}
            icon="refresh"
            pendingText="Starting..."
          >
            Start a new verification
          </SubmitButton>
        </Form>
      )}
    </Card>
  );
}
