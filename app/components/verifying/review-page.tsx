import { ConfirmFirst } from "~/components/accounts/identity/confirm-first";
import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { onDemand } from "~/components/on-demand";
import { ContactsToldCallout } from "~/components/payees/contacts-told";
import { DetailsOrigin } from "~/components/payees/details-origin";
import { RegisterCard } from "~/components/payees/register-card";
import { ComparisonCard } from "~/components/payees/verification/comparison-card";
import { EvidenceList } from "~/components/payees/verification/evidence-list";
import { GradeNote } from "~/components/payees/verification/grade-note";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { Callout } from "~/components/ui/callout";
import { Card } from "~/components/ui/card";
import { PageHeader } from "~/components/ui/page-header";
import { Time } from "~/components/ui/time";
import { Timeline } from "~/components/ui/timeline";
import { BankCheckAction } from "~/components/verifying/bank-check-action";
import { CallBackCard } from "~/components/verifying/call-back-card";
import { DecidedCard } from "~/components/verifying/decided-card";
import { DecisionForm } from "~/components/verifying/decision-form";
import { LostAnswer } from "~/components/verifying/lost-answer";
import { PayeeLinkCard } from "~/components/verifying/payee-link-card";
import { ReviewPlace } from "~/components/verifying/review-place";
import { RunningCheck } from "~/components/verifying/running-check";
import { VerdictStrip } from "~/components/verifying/verdict-strip";
import { answerTo, type FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import type { PlaceView } from "~/modules/verifying/review/place.view";
import type { ReviewView } from "~/modules/verifying/review/review.view";
import type { WatchView } from "~/modules/verifying/review/watch.view";
import * as onServer from "./on-demand.server";

/** Most verifications tell no change. */
const ChangeStoryBanner = onDemand(onServer.ChangeStoryBanner, () =>
  import("~/components/payees/change-story").then(({ ChangeStoryBanner }) => ChangeStoryBanner),
);

interface ReviewPageProps {
  view: ReviewView;
  /** Null: no bank check runs. */
  watch: WatchView | null;
  submissionId: string;
  basis: string;
  place: PlaceView;
  /** This page, in the view of the queue that it was opened from. */
  selfHref: string;
  /** Single keys work: the person switched them on. */
  hasKeys: boolean;
  /** The form that was refused, with what was typed. */
  answer?: FormAnswer;
  /** This person has just decided it: the answer takes the focus. */
  isJustDecided: boolean;
}

/** One verification: decided and explained, or laid out for the decision. */
export function ReviewPage(props: ReviewPageProps) {
  const { view, watch, submissionId, basis, place, selfHref, hasKeys, answer, isJustDecided } = props;
  const { payee, badge, requestedBy, dispute, words } = view;
  const isPending = view.status === "pending";
  return (
    <div className="contents" data-red={words.verdict.isRed || undefined}>
      <PageHeader
        title={payee.name}
        breadcrumb={[{ label: "Pending verifications", to: place.listHref }]}
        badges={
          <>
            <Badge tone={badge.tone} icon={badge.icon}>
              {badge.word}
            </Badge>
            <GradeNote grade={view.grade} />
          </>
        }
        description={
          <>
            Requested by {requestedBy}, <Time dateTime={view.createdAt.dateTime} exact={view.createdAt.exact} />
            {view.assignedTo && `. Assigned to ${view.assignedTo}`}
          </>
        }
        actions={<ReviewPlace place={place} hasKeys={hasKeys} />}
      />
      <RunningCheck watch={watch} said={`${words.answer.title}. ${words.answer.fact}`} />
      {answer?.code === "UNREACHABLE" && <LostAnswer answer={answer} selfHref={selfHref} />}
      {answer && answer.code !== "UNREACHABLE" && <RefusedForm answer={answer} />}
      {view.story && <ChangeStoryBanner story={view.story} />}
      {view.renaming && <ChangeStoryBanner story={view.renaming} />}
      <ContactsToldCallout told={view.contactsTold} />
      <ConfirmFirst
        missing={view.missingConfirmation}
        then="An approval before that rests on a call, or on what you compared yourself, and never on a bank."
      />
      {isPending && <VerdictStrip verdict={words.verdict} compareWith={view.compareWith} money={view.money} />}
      <DetailsOrigin origin={view.origin} />
      <DecidedCard view={view} backHref={place.listHref} isJustDecided={isJustDecided} />
      {dispute && <Dispute {...dispute} />}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <Findings view={view} selfHref={selfHref} submissionId={submissionId} answer={answer} />
        {view.canDecide && (
          <div data-screen-only className="lg:sticky lg:top-21">
            <Card title="Your decision">
              <DecisionForm view={view} submissionId={submissionId} basis={basis} answer={answer} />
            </Card>
          </div>
        )}
        <History view={view} />
      </div>
    </div>
  );
}

type FindingsProps = Pick<ReviewPageProps, "view" | "selfHref" | "submissionId" | "answer">;

/** Everything that is known, before the decision: what the bank says, what we know, who was called. */
function Findings({ view, selfHref, submissionId, answer }: FindingsProps) {
  const { words } = view;
  return (
    <div className="grid min-w-0 gap-6">
      <ComparisonCard
        submitted={view.submitted}
        verified={view.verified}
        rows={view.rows}
        match={view.match}
        isRed={words.verdict.isRed}
        nameNote={view.nameNote}
        answer={words.answer}
        absent={words.absent}
        source={view.source}
        checkAction={<BankCheckAction view={view} selfHref={selfHref} submissionId={submissionId} />}
      />
      {view.evidence && (
        <Card
          title="What we know about this account"
          description="Gathered when the verification was opened, and when the payee’s email changed since."
        >
          <EvidenceList lines={view.evidence} />
        </Card>
      )}
      {view.register && <RegisterCard register={view.register} />}
      <CallBackCard
        view={view.callBacks}
        canRecord={view.canDecide}
        submissionId={submissionId}
        answer={answerTo(answer, "record-call")}
      />
      <PayeeLinkCard view={view} />
    </div>
  );
}

function History({ view }: { view: ReviewView }) {
  return (
    <Card
      title="History"
      description="From the audit trail. Nothing in it can be changed."
      actions={
        <Button to={appPaths.verificationNotes(view.id)} variant="secondary" size="sm">
          Comment or assign
        </Button>
      }
    >
      {view.timeline.length > 0 ? (
        <Timeline label="History of the verification" events={view.timeline} />
      ) : (
        <p className="text-base text-ink-soft">Nothing has been recorded yet.</p>
      )}
    </Card>
  );
}

/** The page holds several forms: the fields of each are named after what it does. */
function RefusedForm({ answer }: { answer: FormAnswer }) {
  return (
    <FormErrorSummary
      title={answer.title}
      errors={Object.fromEntries(
        Object.entries(answer.errors).map(([name, sentences]) => [`${answer.intent}-${name}`, sentences]),
      )}
      formErrors={answer.formErrors}
    />
  );
}

function Dispute({ note, advice }: { note: string | null; advice: string | null }) {
  return (
    <Callout tone="danger" title="The payee says that these are not their details" className="mb-6">
      {advice}
      {note && <blockquote className="mt-2 border-review border-l-2 pl-3">{note}</blockquote>}
    </Callout>
  );
}
