import { Link } from "@remix-run/react";
import { AccountChangeCallout } from "~/components/connections/account-change";
import { Form, type FormAnswer, HiddenFields, SubmitButton } from "~/components/forms/form";
import { RefusedAct, SubscriptionFirst } from "~/components/forms/refused-act";
import { onDemand } from "~/components/on-demand";
import { EvidenceLinks } from "~/components/payees/evidence/evidence-links";
import { InvoiceStanding } from "~/components/payments/invoices/invoice-standing";
import { RowLink, Table } from "~/components/tables/table";
import { Badge, Button, Callout, linkClass } from "~/components/ui/elements";
import { Email } from "~/components/ui/email";
import { AccountNumber, Amount, Bsb, Card, DefinitionList, Digits, PageHeader, Time } from "~/components/ui/page-parts";
import { StatusBadge } from "~/components/ui/status-badge";
import { ChangeMark, VerdictBadge } from "~/components/verifying/verdict-badge";
import { formatAbn } from "~/kernel/abn";
import { formatAud } from "~/kernel/money";
import { appPaths } from "~/kernel/paths/app";
import { FIELD_LABELS } from "~/kernel/payee";
import type { ShownChange } from "~/modules/connections/integration.view";
import type { PayeeView } from "~/modules/payees/payee-page.server";
import { invoicesHref } from "~/modules/payments/invoices/invoice";
import type { InvoiceRow } from "~/modules/payments/invoices/invoice-page.server";
import type { readWaysOfPayee } from "~/modules/payments/invoices/known-ways.server";
import type { findReturnToShow, PayeeChart } from "~/modules/payments/payee-chart.server";
import { DetailsOrigin, GradeNote } from "./details-origin";
import * as onServer from "./on-demand.server";
import { ContactsToldCallout, EmailDomainCard, RegisterCard } from "./payee-facts";
import { ChangesCard, PayeeTimeline } from "./payee-history";
import { PayeeStatusBadge } from "./payee-status-badge";
import { TrustCard } from "./payee-trust";

/** Payees with little history have no time line. */
const PayeeChartCard = onDemand(onServer.PayeeChartCard, () =>
  import("./payee-chart").then(({ PayeeChartCard }) => PayeeChartCard),
);

interface PayeePageProps {
  payee: PayeeView;
  returned: Awaited<ReturnType<typeof findReturnToShow>>;
  accountChanges: readonly ShownChange[];
  /** Sentences about payments in accounting systems that were not recorded here; empty: none. */
  seenPayments: string;
  invoices: readonly InvoiceRow[];
  /** Ways to pay that count as the payee's because a person accepted an invoice that names them. */
  ways: Awaited<ReturnType<typeof readWaysOfPayee>>;
  /** The person may forget them. */
  canForget: boolean;
  chart: PayeeChart | null;
  canWrite: boolean;
  answer?: FormAnswer;
}

/** One payee: its details, its trust status, and its history. */
export function PayeePage({
  payee,
  returned,
  accountChanges,
  seenPayments,
  invoices,
  ways,
  canForget,
  chart,
  canWrite,
  answer,
}: PayeePageProps) {
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
          This payee has been a draft since {payee.draftSince.exact}: payments to it are held. Approving its
          verification accepts the payee.
        </Callout>
      )}
      <AccountChangeCallout changes={accountChanges} />
      <DetailsOrigin origin={payee.origin} />
      <PayeeFlags flags={payee.flags} formerHolders={payee.formerHolders} />
      <ContactsToldCallout told={payee.contactsTold}>
        <ContactReview payee={payee} canWrite={canWrite} />
      </ContactsToldCallout>
      <ReturnedPayment returned={returned} />
      {seenPayments && (
        <Callout tone="info" title="Payments seen in your accounting system" className="mb-6">
          {seenPayments}
        </Callout>
      )}
      {chart && <PayeeChartCard chart={chart} />}
      <div className="grid items-start gap-6 @[52rem]/main:grid-cols-[minmax(0,2fr)_minmax(18rem,1fr)] @[52rem]/main:grid-rows-[auto_1fr] print:block print:*:mb-6">
        <div className="grid min-w-0 gap-6">
          <BankDetailsCard payee={payee} />
          <ContactCard payee={payee} />
          {payee.register && <RegisterCard register={payee.register} />}
          {payee.domain && <EmailDomainCard domain={payee.domain} />}
        </div>
        <div className="grid min-w-0 gap-6 @[52rem]/main:col-start-2 @[52rem]/main:row-span-2 @[52rem]/main:row-start-1">
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
        <div className="grid min-w-0 gap-6">
          <InvoicesCard invoices={invoices} name={payee.name} />
          <WaysCard ways={ways} canForget={canForget} />
          <ChangesCard changes={payee.changes} />
        </div>
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

/** Warnings to consider before trusting or paying this payee. */
function PayeeFlags({ flags, formerHolders }: Pick<PayeeView, "flags" | "formerHolders">) {
  if (flags.length === 0) return null;
  return (
    <div className="mb-6 grid gap-3">
      {flags.map(({ code, tone, title, text }) => (
        <Callout key={code} tone={tone} title={title}>
          {code === "former_account" && <FormerHolders holders={formerHolders} />}
          {text}
        </Callout>
      ))}
    </div>
  );
}

/** The former holders of the account, with links. */
function FormerHolders({ holders }: { holders: PayeeView["formerHolders"] }) {
  return holders.map(({ sentence, name, href }) => (
    <p key={href + sentence} className="break-words">
      {sentence}{" "}
      <Link to={href} className={linkClass}>
        View {name}
      </Link>
    </p>
  ));
}

/** The warning that a contact was not told remains until somebody decides about the payee: links to that decision. */
function ContactReview({ payee: { verdict, isArchived }, canWrite }: { payee: PayeeView; canWrite: boolean }) {
  if (verdict) {
    return (
      <Link to={appPaths.verification(verdict.verificationId)} className={linkClass}>
        Decide its verification to clear this notice
      </Link>
    );
  }
  if (!canWrite || isArchived) return null;
  return (
    <Form method="post" className="grid justify-items-start gap-2">
      <p>
        Start a verification, and approve or reject it when you know who asked for the change. Your decision clears this
        notice.
      </p>
      <SubmitButton name="intent" value="verify" variant="secondary" icon="refresh" pendingText="Starting...">
        Review the change
      </SubmitButton>
    </Form>
  );
}

/** Says that the payee's last payment was returned, before a person pays it again. */
function ReturnedPayment({ returned }: { returned: Awaited<ReturnType<typeof findReturnToShow>> }) {
  if (!returned) return null;
  const { paymentId, amount, reference, reason, at } = returned;
  return (
    <Callout tone="danger" title="The last payment to this payee came back" className="mb-6">
      <Link to={appPaths.payment(paymentId)} className={linkClass}>
        {formatAud(amount)}
        {reference && `, ${reference}`}
      </Link>
      , failed <Time {...at} />: {reason ?? "no reason was given"}. Ask the payee, on a number you already know, whether
      the account is still right.
    </Callout>
  );
}

/** The bank details in full. */
function BankDetailsCard({ payee }: { payee: PayeeView }) {
  const { details, institution, hasUnusualLength, formerHolders, ownFormerAccount, flags } = payee;
  // As a warning it is already shown above.
  const told = flags.some(({ code }) => code === "former_account") ? [] : formerHolders;
  return (
    <Card title="Bank details" description="Shown in full here; the audit trail records who looked.">
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
                  <span className="block text-pending text-sm">An unusual length for this institution</span>
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

function ContactCard({ payee }: { payee: PayeeView }) {
  const { details, phoneShown, addedAt, payments } = payee;
  return (
    <Card title="Payee">
      <DefinitionList
        columns={2}
        items={[
          { term: FIELD_LABELS.abn, value: details.abn ? <Digits>{formatAbn(details.abn)}</Digits> : <Missing /> },
          { term: FIELD_LABELS.email, value: details.email ? <Email value={details.email} /> : <Missing /> },
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

const Missing = () => <span className="text-ink-soft">Not given</span>;

/** The payee's verifications, newest first, and a link to a new one while none is pending. */
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
              <Link to={appPaths.verification(verification.id)} className={linkClass}>
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
      {canWrite && !isWaiting && payee.isArchived && (
        <p className="mt-2 text-base text-ink-soft">It is archived. Restore it to verify it again.</p>
      )}
      {canWrite && !isWaiting && !payee.isArchived && (
        <Form method="post" className="mt-4">
          <SubscriptionFirst />
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

/** The payee's newest invoices, and a link to all of them. */
function InvoicesCard({ invoices, name }: { invoices: readonly InvoiceRow[]; name: string }) {
  if (invoices.length === 0) return null;
  return (
    <Card
      title="Invoices"
      flush
      actions={
        <Button to={invoicesHref({ q: name })} variant="secondary" size="sm">
          All invoices
        </Button>
      }
    >
      <Table
        caption="Invoices"
        rows={invoices}
        isRed={({ standing }) => standing.tone === "review"}
        columns={[
          {
            head: "Invoice",
            cell: ({ id, title }) => (
              <RowLink to={appPaths.supplierInvoice(id)}>
                <span className="break-words">{title}</span>
              </RowLink>
            ),
          },
          { head: "Verdict", cell: (invoice) => <InvoiceStanding {...invoice} /> },
          {
            head: "Total",
            align: "right",
            cell: ({ totalCents }) => totalCents !== null && <Amount cents={totalCents} />,
          },
          { head: "Received", cell: ({ receivedAt }) => <Time {...receivedAt} stacked /> },
        ]}
      />
    </Card>
  );
}

function WaysCard({ ways, canForget }: Pick<PayeePageProps, "ways" | "canForget">) {
  if (ways.length === 0) return null;
  return (
    <Card
      title="Known from accepted invoices"
      description="Each was on an invoice that somebody accepted. An invoice of this payee that has it does not warn about it. One that is known beside the payee’s own account warns without that account, and an account to be debited where the words ask to pay to it."
    >
      <ul className="divide-y divide-line text-base">
        {ways.map(({ kind, label, value, isNoted, since, by, href }) => (
          <li
            key={`${kind} ${value}`}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3 first:pt-0 last:pb-0"
          >
            <div className="min-w-0">
              <p className="break-words">
                {label} <span className="font-medium">{value}</span>
              </p>
              <p className="text-ink-soft text-sm">
                Known {isNoted && "beside the payee’s own account "}since <Time {...since} />:{" "}
                <Link to={href} className={linkClass}>
                  an invoice
                </Link>{" "}
                that {by ?? "a former colleague"} accepted
              </p>
            </div>
            {canForget && (
              <Form method="post" data-screen-only>
                <HiddenFields values={{ intent: "forget-way", kind, value }} />
                <Button type="submit" variant="secondary" size="sm" aria-label={`Forget ${label} ${value}`}>
                  Forget
                </Button>
              </Form>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
