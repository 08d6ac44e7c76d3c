import { useEffect, useRef } from "react";
import { ConfirmFirst } from "~/components/accounts/identity/confirm-first";
import { cx } from "~/components/cx";
import { Form } from "~/components/forms/form";
import { FormErrorSummary, SubmitButton } from "~/components/forms/post-form";
import { onDemand } from "~/components/on-demand";
import { DetailsOrigin, GradeNote } from "~/components/payees/details-origin";
import { ContactsToldCallout, RegisterCard } from "~/components/payees/payee-facts";
import { ComparisonCard } from "~/components/payees/verification/comparison-card";
import { Badge, toneText } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { Callout } from "~/components/ui/callout";
import { Card } from "~/components/ui/card";
import { DefinitionList } from "~/components/ui/definition-list";
import { Disclosure } from "~/components/ui/disclosure";
import { Icon } from "~/components/ui/icons";
import { Link } from "~/components/ui/link";
import { PageHeader } from "~/components/ui/page-header";
import { Time } from "~/components/ui/time";
import { Timeline } from "~/components/ui/timeline";
import { answerTo, type FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import type { CallBackView, ShownCall, ShownPhone } from "~/modules/verifying/call-backs/call-back.view";
import type { EvidenceLine } from "~/modules/verifying/review/evidence.view";
import type { PlaceView } from "~/modules/verifying/review/place.view";
import type { ReviewView } from "~/modules/verifying/review/review.view";
import type { WatchView } from "~/modules/verifying/review/watch.view";
import { BankCheckAction } from "./bank-check-action";
import { DecisionForm } from "./decision-form";
import { LostAnswer } from "./lost-answer";
import * as onServer from "./on-demand.server";
import { ReviewPlace } from "./review-place";
import { RunningCheck } from "./running-check";
import { VerdictStrip } from "./verdict-strip";

const CallForm = onDemand(onServer.CallForm, () => import("./call-form").then(({ CallForm }) => CallForm));

interface CallBackCardProps {
  view: CallBackView;
  /** Nobody has decided yet, and this person may write. */
  canRecord: boolean;
  submissionId: string;
  answer?: FormAnswer;
}

/** Calls to the payee about these details, the numbers it has had, and a form for the next call. */
function CallBackCard({ view, canRecord, submissionId, answer }: CallBackCardProps) {
  const { calls, phones } = view;
  if (calls.length === 0 && !canRecord) return null;
  return (
    <Card title="Call-backs" description={view.description}>
      <div className="grid gap-5">
        {calls.length > 0 && (
          <ul className="divide-y divide-line">
            {calls.map((call) => (
              <CallItem key={call.id} call={call} />
            ))}
          </ul>
        )}
        {view.noPhones ? <p className="text-base text-ink-soft">{view.noPhones}</p> : <PhoneList phones={phones} />}
        {canRecord && (
          <div data-screen-only>
            <Disclosure summary="Record a call" headingLevel={3} open={answer !== undefined}>
              <CallForm view={view} submissionId={submissionId} answer={answer} />
            </Disclosure>
          </div>
        )}
      </div>
    </Card>
  );
}

function CallItem({ call }: { call: ShownCall }) {
  return (
    <li className="grid gap-1 py-3 text-base first:pt-0 last:pb-0">
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="figures font-medium">{call.number}</span>
        <Badge tone={call.outcome.tone} icon="phone">
          {call.outcome.text}
        </Badge>
      </span>
      <span className="text-ink-soft text-sm">
        {call.said}
        <Time {...call.at} />
      </span>
      {call.noProof && <span className="text-review text-sm">{call.noProof}</span>}
      {call.note && <span className="text-sm">{call.note}</span>}
    </li>
  );
}

function PhoneList({ phones }: { phones: readonly ShownPhone[] }) {
  return (
    <div>
      <h3 className="font-medium text-base">Numbers on file</h3>
      <ul className="mt-1 grid gap-1.5 text-base">
        {phones.map((phone) => (
          <li key={phone.number}>
            <span className="figures font-medium">{phone.number}</span>{" "}
            <span className="text-ink-soft text-sm">{phone.said}</span>
            {phone.warning && <span className="block text-review text-sm">{phone.warning}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}

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

/** What was known of the account when the verification opened, one thing a line. */
function EvidenceList({ lines }: { lines: readonly EvidenceLine[] }) {
  return (
    <ul className="divide-y divide-line">
      {lines.map(({ tone, icon, title, detail, payee }) => (
        <li key={`${title} ${payee?.href} ${detail}`} className="flex gap-3 py-3 text-base first:pt-0 last:pb-0">
          <Icon name={icon} className={cx("mt-px", toneText[tone])} />
          <div className="min-w-0">
            <p>
              {title}
              {payee && " "}
              {payee && (
                <Link to={payee.href} className="font-medium text-accent-text underline underline-offset-2">
                  {payee.name}
                </Link>
              )}
            </p>
            {detail && <div className="mt-0.5 text-ink-soft text-sm">{detail}</div>}
          </div>
        </li>
      ))}
    </ul>
  );
}

interface DecidedCardProps {
  view: ReviewView;
  backHref: string;
  /** This person has just decided it: the card takes the focus. */
  isJustDecided: boolean;
}

/** How a verification ended, by whom and why, and the way back. */
function DecidedCard({ view, backHref, isJustDecided }: DecidedCardProps) {
  const { decision, payee } = view;
  const { ending } = view.words;
  const isDecided = ending !== null;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isJustDecided && isDecided) box.current?.focus();
  }, [isJustDecided, isDecided]);
  if (ending === null) return null;
  return (
    <div ref={box} tabIndex={-1} className="mb-6 scroll-mt-24 rounded-base">
      <Callout
        tone={ending.tone}
        title={ending.title}
        role="status"
        actions={
          <>
            <Button to={backHref} icon="arrowLeft">
              Back to pending verifications
            </Button>
            <Button to={appPaths.payee(payee.id)} variant="secondary">
              Go to the payee
            </Button>
            <Button to={appPaths.certificate(view.id)} variant="secondary" icon="shieldCheck">
              Certificate
            </Button>
          </>
        }
      >
        {view.grade && <p className="font-medium">{view.grade}.</p>}
        {ending.text && <p>{ending.text}</p>}
        {decision && (
          <p className="text-ink-soft">
            {decision.by ? `${decision.by}, ` : ""}
            <time dateTime={decision.at.dateTime}>{decision.at.exact}</time>
          </p>
        )}
      </Callout>
    </div>
  );
}

/** What the payee was asked and has answered, and a way to ask again. */
function PayeeLinkCard({ view }: { view: ReviewView }) {
  const { link, dispute } = view;
  const isReachable = view.canDecide && dispute === null && (link.canEmail || link.canText);
  const canSend = isReachable && view.missingConfirmation === null;
  if (link.rows.length === 0 && !isReachable) return null;
  return (
    <Card title="Payee's confirmation" description={link.description}>
      <div className="grid gap-4">
        {link.rows.length > 0 ? (
          <DefinitionList
            items={link.rows.map(({ term, time, text }) => ({ term, value: time ? <Time {...time} stacked /> : text }))}
          />
        ) : (
          <p className="text-base text-ink-soft">The payee has not been asked yet.</p>
        )}
        {isReachable && !canSend && (
          <p className="text-base text-ink-soft">A link can be sent once the email address is confirmed.</p>
        )}
        {canSend && link.warning && <p className="text-review text-sm">{link.warning}</p>}
        {canSend && link.againNote && <p className="text-ink-soft text-sm">{link.againNote}</p>}
        {canSend && <SendForm link={link} />}
      </div>
    </Card>
  );
}

function SendForm({ link }: Pick<ReviewView, "link">) {
  const again = link.againNote === null ? "" : "again ";
  return (
    <Form method="post" preventScrollReset className="flex flex-wrap gap-2">
      <input type="hidden" name="intent" value="send-link" />
      {link.canEmail && (
        <SubmitButton name="channel" value="email" variant="secondary" size="sm" icon="mail" pendingText="Sending...">
          {`Send ${again}by email`}
        </SubmitButton>
      )}
      {link.canText && (
        <SubmitButton name="channel" value="sms" variant="secondary" size="sm" icon="phone" pendingText="Sending...">
          {`Send ${again}by text`}
        </SubmitButton>
      )}
    </Form>
  );
}
