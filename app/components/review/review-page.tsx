import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { ChangeStoryBanner } from "~/components/payees/change-story";
import { BankCheckAction } from "~/components/review/bank-check-action";
import { DecidedCard } from "~/components/review/decided-card";
import { DecisionForm, type Typed } from "~/components/review/decision-form";
import { PayeeLinkCard } from "~/components/review/payee-link-card";
import { ReviewTimeline } from "~/components/review/review-timeline";
import { VerdictStrip } from "~/components/review/verdict-strip";
import { Callout } from "~/components/ui/callout";
import { Card } from "~/components/ui/card";
import { PageHeader } from "~/components/ui/page-header";
import { StatusBadge } from "~/components/ui/status-badge";
import { Time } from "~/components/ui/time";
import { ComparisonCard } from "~/components/verification/comparison-card";
import { EvidenceList } from "~/components/verification/evidence-list";
import { appPaths } from "~/kernel/paths/app";
import type { ReviewView } from "~/modules/review/review.view";

/** What went wrong with the last post, in the words of the specification's titles. */
export type ReviewProblem = {
  title: string;
  message: string;
  /** The form that was refused, with what was typed. */
  typed: Typed;
};

interface ReviewPageProps {
  view: ReviewView;
  submissionId: string;
  basis: string;
  position?: { position: number; total: number };
  problem?: ReviewProblem;
  /** This person has just decided it: the answer takes the focus. */
  isJustDecided: boolean;
}

/** One verification: decided and explained, or laid out for the decision. */
export function ReviewPage({ view, submissionId, basis, position, problem, isJustDecided }: ReviewPageProps) {
  const { payee, requestedBy, dispute } = view;
  return (
    <>
      <PageHeader
        title={payee.name}
        breadcrumb={[{ label: "Pending verifications", to: appPaths.pendingVerifications }]}
        badges={<StatusBadge of="verification" status={view.status} />}
        description={
          <>
            Requested by {requestedBy ? `${requestedBy.name} (${requestedBy.email})` : "System"},{" "}
            <Time dateTime={view.createdAt.dateTime} exact={view.createdAt.exact} />
          </>
        }
        actions={
          position && (
            <span className="figures text-base text-ink-soft">
              {position.position} of {position.total}
            </span>
          )
        }
      />
      {problem && (
        <FormErrorSummary
          title={problem.title}
          errors={problem.typed.errors && { [`${problem.typed.intent}-reason`]: problem.typed.errors }}
          formErrors={problem.typed.errors ? [] : [problem.message]}
        />
      )}
      {view.status === "pending" && <VerdictStrip verdict={view.verdict} />}
      {view.story && <ChangeStoryBanner story={view.story} />}
      <DecidedCard view={view} backHref={appPaths.pendingVerifications} isJustDecided={isJustDecided} />
      {dispute && (
        <Callout tone="danger" title="The payee says that these are not their details" className="mb-6">
          Call the payee on a number you already know, not one from a recent email or invoice.
          {dispute.note && <blockquote className="mt-2 border-review border-l-2 pl-3">{dispute.note}</blockquote>}
        </Callout>
      )}
      <ComparisonCard
        submitted={view.submitted}
        verified={view.verified}
        match={view.match}
        outcome={view.outcome}
        isPending={view.status === "pending"}
        reason={view.status === "pending" ? view.reason : undefined}
        source={view.checkedAt && <CheckSource view={view} />}
        checkAction={<BankCheckAction view={view} selfHref={appPaths.verification(view.id)} />}
        decision={
          view.canDecide && (
            <DecisionForm view={view} submissionId={submissionId} basis={basis} typed={problem?.typed} />
          )
        }
      />
      <div className="mt-6 grid items-start gap-6 lg:grid-cols-2">
        <div className="grid gap-6">
          {view.evidence && (
            <Card title="What we know about this account" description="Gathered when the verification was opened.">
              <EvidenceList evidence={view.evidence} payeeHref={appPaths.payee} />
            </Card>
          )}
          <PayeeLinkCard view={view} />
        </div>
        <Card title="History" description="From the audit trail. Nothing in it can be changed.">
          {view.timeline.length > 0 ? (
            <ReviewTimeline entries={view.timeline} />
          ) : (
            <p className="text-base text-ink-soft">Nothing has been recorded yet.</p>
          )}
        </Card>
      </div>
    </>
  );
}

function CheckSource({ view }: { view: ReviewView }) {
  const { verified, checkedAt, providerName } = view;
  const sources = {
    basiq: `${providerName}, with the payee's consent at their bank`,
    whitelist: "Your own whitelist",
    global_whitelist: "Other organisations that trust this account",
    manual: "Entered by hand",
  };
  return (
    <span>
      {sources[verified?.source ?? "manual"]}
      {checkedAt && `, ${checkedAt.exact}`}
    </span>
  );
}
