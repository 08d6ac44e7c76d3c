import { AccountChangeCallout } from "~/components/connections/account-change";
import { Form } from "~/components/forms/form";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { RefusedAct } from "~/components/forms/refused-act";
import { ChangesCard } from "~/components/payees/changes-card";
import { ContactsToldCallout } from "~/components/payees/contacts-told";
import { DetailsOrigin } from "~/components/payees/details-origin";
import { EvidenceLinks } from "~/components/payees/evidence/evidence-links";
import { BankDetailsCard, ContactCard } from "~/components/payees/payee-details";
import { PayeeFlags } from "~/components/payees/payee-flags";
import { PayeeStatusBadge } from "~/components/payees/payee-status-badge";
import { PayeeTimeline } from "~/components/payees/payee-timeline";
import { RegisterCard } from "~/components/payees/register-card";
import { ReturnedPayment, type ShownReturn } from "~/components/payees/returned-payment";
import { TrustCard } from "~/components/payees/trust-card";
import { GradeNote } from "~/components/payees/verification/grade-note";
import { VerificationsCard } from "~/components/payees/verifications-card";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { Callout } from "~/components/ui/callout";
import { Card } from "~/components/ui/card";
import { PageHeader } from "~/components/ui/page-header";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import type { ShownChange } from "~/modules/connections/integration.view";
import type { PayeeView } from "~/modules/payees/payee.view";

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
