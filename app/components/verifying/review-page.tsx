import { ConfirmFirst } from "~/components/accounts/identity/confirm-first";
import { type FormAnswer, FormErrorSummary } from "~/components/forms/form";
import { SubscriptionFirst } from "~/components/forms/refused-act";
import { SkipLink } from "~/components/layout/skip-link";
import { onDemand } from "~/components/on-demand";
import { DetailsOrigin } from "~/components/payees/details-origin";
import { ContactsToldCallout } from "~/components/payees/payee-facts";
import { MarkedName } from "~/components/payees/verification/marked-name";
import { Disclosure } from "~/components/ui/disclosure";
import {
  Badge,
  Button,
  buttonClass,
  Callout,
  cx,
  Icon,
  Link,
  linkClass,
  toneText,
  toneWash,
} from "~/components/ui/elements";
import { keysOnDemand } from "~/components/ui/keys-on-demand";
import { Neighbours, PageHeader, Time } from "~/components/ui/page-parts";
import { Timeline } from "~/components/ui/timeline";
import { useReloadWhile } from "~/components/ui/use-reload-while";
import { appPaths } from "~/kernel/paths/app";
import type { VerificationWords } from "~/modules/payees/verifications/verification-words";
import type { readReviewPage } from "~/modules/verifying/review/review-page.server";
import { DecisionForm } from "./decision-form";
import * as onServer from "./on-demand.server";
import { Comparison, Findings } from "./review-findings";

/** Most verifications are not decided yet. */
const DecidedCard = onDemand(onServer.DecidedCard, () =>
  import("./review-on-demand").then(({ DecidedCard }) => DecidedCard),
);
/** Most verifications are not about a change. */
const ChangeStoryBanner = onDemand(onServer.ChangeStoryBanner, () =>
  import("~/components/payees/change-story").then(({ ChangeStoryBanner }) => ChangeStoryBanner),
);

const ReviewKeys = keysOnDemand(() => import("./review-keys").then(({ ReviewKeys }) => ReviewKeys));

export type ReviewPageData = Awaited<ReturnType<typeof readReviewPage>>;

export type ReviewPageProps = ReviewPageData & {
  /** The form that was refused, with what was typed. */
  answer?: FormAnswer;
  /** This person has just decided it, so the result takes the focus. */
  isJustDecided: boolean;
};

/**
 * One verification, either decided and explained, or prepared for the decision. Each fact appears once: the verdict,
 * its story, the comparison, the decision; the rest is collapsed.
 */
export function ReviewPage(props: ReviewPageProps) {
  const { view, notAsked, watch, submissionId, basis, place, selfHref, hasKeys, answer, isJustDecided } = props;
  const { payee, badge, requestedBy, dispute, words } = view;
  const isPending = view.status === "pending";
  return (
    <div className="mx-auto max-w-5xl" data-red={words.verdict.isRed || undefined}>
      {view.canDecide && <SkipLink to="decision">Skip to decision</SkipLink>}
      <PageHeader
        title={payee.name}
        breadcrumb={[{ label: "Pending verifications", to: place.listHref }]}
        badges={
          !isPending && (
            <Badge tone={badge.tone} icon={badge.icon}>
              {badge.word}
            </Badge>
          )
        }
        description={
          <>
            Requested by {requestedBy}, <Time dateTime={view.createdAt.dateTime} exact={view.createdAt.exact} />.{" "}
            {isPending && `${view.money}.`}
            {view.assignedTo && ` Assigned to ${view.assignedTo}.`}
          </>
        }
        actions={
          <ReviewPlace
            place={place}
            hasKeys={hasKeys}
            mayComment={props.mayComment}
            notesHref={appPaths.verificationNotes(view.id)}
          />
        }
      />
      <RunningCheck watch={watch} said={`${words.answer.title}. ${words.answer.fact}`} />
      {answer?.code === "UNREACHABLE" && <LostAnswer answer={answer} selfHref={selfHref} />}
      {answer && answer.code !== "UNREACHABLE" && <RefusedForm answer={answer} />}
      {words.ending && <DecidedCard view={view} place={place} isJustDecided={isJustDecided} />}
      <div className="grid min-w-0 gap-4 *:mb-0">
        {isPending && <VerdictBand verdict={words.verdict} {...view} />}
        {!isPending && dispute && (
          <Callout tone="danger" title="The payee says that these are not their details">
            <Quote>{dispute.note}</Quote>
          </Callout>
        )}
        {view.story && <ChangeStoryBanner story={view.story} />}
        {view.renaming && <ChangeStoryBanner story={view.renaming} />}
        <ConfirmFirst
          missing={view.missingConfirmation}
          then="Until then, an approval rests on a call or your own comparison, not on a bank."
        />
        {view.canDecide && <SubscriptionFirst answer={answer} />}
        {isPending && notAsked && <Callout tone="info" title={notAsked} />}
        <DetailsOrigin origin={view.origin} />
        <Comparison view={view} selfHref={selfHref} submissionId={submissionId} />
        <ContactsToldCallout told={view.contactsTold} />
        {view.canDecide && (
          <section
            data-screen-only
            id="decision"
            tabIndex={-1}
            aria-label="Your decision"
            data-over-drawing
            className="decision"
            data-tall={isTall(view) ? "" : undefined}
          >
            <DecisionForm view={view} submissionId={submissionId} basis={basis} answer={answer} />
          </section>
        )}
        <Findings view={view} submissionId={submissionId} answer={answer} />
        <History view={view} />
      </div>
      {view.canDecide && <DecisionBar view={view} />}
    </div>
  );
}

/** The decision form is so tall that it would cover the comparison, so it is not sticky, and a bar links to it. */
const isTall = ({ former, words, approving }: ReviewPageData["view"]) =>
  former !== null || words.verdict.isRed || approving.confirm?.isRequired === true;

/** "3 of 14" in the queue's view, with links to its neighbours and to further actions. */
function ReviewPlace({
  place,
  hasKeys,
  mayComment,
  notesHref,
}: Pick<ReviewPageData, "place" | "hasKeys" | "mayComment"> & { notesHref: string }) {
  return (
    <>
      <Neighbours label="Review queue" place={place} />
      <Button to={notesHref} variant="secondary" size="sm" icon={mayComment ? "pencil" : "list"}>
        {mayComment ? "Comment or assign" : "Comments"}
      </Button>
      <ReviewKeys isOn={hasKeys} place={place} listHref={place.listHref} notesHref={notesHref} />
    </>
  );
}

/**
 * Keeps the page up to date while a bank check runs, and announces its state to screen readers. Without scripts, only a
 * page without forms reloads itself, so that nothing typed is lost.
 */
function RunningCheck({ watch, said }: { watch: ReviewPageData["watch"]; said: string }) {
  useReloadWhile(watch !== null);
  return (
    <>
      <p role="status" className="sr-only">
        {said}
      </p>
      {watch && (
        <noscript>
          <p className="mb-4 text-base">
            {watch.text}{" "}
            {watch.link && (
              <a href={watch.link.href} className={linkClass}>
                {watch.link.label}
              </a>
            )}
          </p>
        </noscript>
      )}
    </>
  );
}

export const LOST_TITLE = "We do not know whether it arrived";
export const LOST_SENTENCE =
  "The connection broke before an answer came. What you typed is still here. Check before you send it again.";

/** For a form whose answer was lost: a link that reloads the page without sending anything again. */
function LostAnswer({ answer, selfHref }: { answer: FormAnswer; selfHref: string }) {
  return (
    <Callout
      tone="warning"
      role="alert"
      title={answer.title}
      className="mb-6"
      actions={
        <Button to={selfHref} reloadDocument variant="secondary" icon="refresh">
          Check whether it arrived
        </Button>
      }
    >
      {answer.formErrors.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </Callout>
  );
}

/** The page has several forms, so each form's field ids are prefixed with its action. */
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

/** `compareWith`: other payees that the verdict concerns. */
type VerdictBandProps = Pick<ReviewPageData["view"], "reasons" | "compareWith" | "dispute"> & {
  verdict: VerificationWords["verdict"];
};

/** The verdict as a word, the reasons as sentences, and the next step. Red and amber are a band, others are a line. */
function VerdictBand({ verdict, reasons, compareWith, dispute }: VerdictBandProps) {
  const isBand = verdict.tone === "review" || verdict.tone === "pending";
  return (
    <section
      aria-label="Verdict"
      className={cx("verdict", isBand ? cx("p-4", toneWash[verdict.tone]) : "border-transparent")}
    >
      <p className={cx("display flex items-center gap-2.5 text-2xl", toneText[verdict.tone])}>
        <Icon name={verdict.icon} className="size-6" />
        {verdict.word}
      </p>
      <div className="min-w-0 text-base text-ink">
        {reasons.length > 0 && (
          <ul className="grid gap-0.5">
            {reasons.map((stretches) => (
              <li key={stretches.map(({ text }) => text).join("")} className="break-words">
                <MarkedName stretches={stretches} />
              </li>
            ))}
          </ul>
        )}
        {dispute && <Quote>{dispute.note}</Quote>}
        <p className="mt-1 font-medium">
          {verdict.next} {dispute?.advice}
        </p>
        {compareWith.length > 0 && (
          <ul className="mt-1.5 grid gap-1">
            {compareWith.map(({ name, href, details }) => (
              <li key={href} className="min-w-0 break-words">
                <Link to={href} className={linkClass}>
                  View {name}
                </Link>
                : <span className="figures">{details}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

/**
 * On a phone, and where the decision form is too tall, the form is further down: this bar with a link to it stays
 * within reach of a thumb. It does not decide anything, and does not offer approval if there is a warning.
 */
function DecisionBar({ view }: { view: ReviewPageData["view"] }) {
  const offersApproval = !view.words.verdict.isRed && !view.approving.bar;
  return (
    <div data-screen-only className="decision-bar" data-tall={isTall(view) ? "" : undefined}>
      <a href="#reject-reason" className={buttonClass(view.primary === "reject" ? "danger" : "secondary")}>
        Reject...
      </a>
      <a href="#decision" className={buttonClass(view.primary === "approve" ? "primary" : "secondary")}>
        {offersApproval ? "Approve..." : "Go to the decision"}
      </a>
    </div>
  );
}

/** The payee's own words about the details. */
function Quote({ children }: { children: string | null }) {
  return children && <blockquote className="my-1.5 border-review border-l-2 pl-3">{children}</blockquote>;
}

function History({ view }: { view: ReviewPageData["view"] }) {
  const { timeline } = view;
  return (
    <div className="rounded-base border border-line bg-surface px-5 *:border-b-0">
      <Disclosure
        headingLevel={2}
        summary={`History, ${timeline.length === 1 ? "1 entry" : `${timeline.length} entries`}`}
      >
        <div className="text-ink">
          <Timeline label="History of the verification" events={timeline} />
        </div>
      </Disclosure>
    </div>
  );
}
