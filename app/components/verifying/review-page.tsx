import { useRevalidator } from "@remix-run/react";
import { type ComponentType, useEffect, useRef, useState } from "react";
import { ConfirmFirst } from "~/components/accounts/identity/confirm-first";
import { cx } from "~/components/cx";
import { FormErrorSummary } from "~/components/forms/post-form";
import { SubscriptionFirst } from "~/components/forms/subscription-ended";
import { onDemand } from "~/components/on-demand";
import { DetailsOrigin, GradeNote } from "~/components/payees/details-origin";
import { ContactsToldCallout } from "~/components/payees/payee-facts";
import { Badge, toneWash } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { Callout } from "~/components/ui/callout";
import { Card } from "~/components/ui/card";
import { Icon } from "~/components/ui/icons";
import { Link } from "~/components/ui/link";
import { Neighbours, PageHeader } from "~/components/ui/page-header";
import { Time } from "~/components/ui/time";
import { Timeline } from "~/components/ui/timeline";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import type { VerificationWords } from "~/modules/payees/verifications/verification-words";
import type { readReviewPage } from "~/modules/verifying/review/review-page.server";
import { DecisionForm } from "./decision-form";
import * as onServer from "./on-demand.server";
import { Findings } from "./review-findings";

/** Most verifications tell no change. */
const ChangeStoryBanner = onDemand(onServer.ChangeStoryBanner, () =>
  import("~/components/payees/change-story").then(({ ChangeStoryBanner }) => ChangeStoryBanner),
);

export type ReviewPageData = Awaited<ReturnType<typeof readReviewPage>>;

type ReviewPageProps = ReviewPageData & {
  /** The form that was refused, with what was typed. */
  answer?: FormAnswer;
  /** This person has just decided it: the answer takes the focus. */
  isJustDecided: boolean;
};

/** One verification: decided and explained, or laid out for the decision. */
export function ReviewPage(props: ReviewPageProps) {
  const { view, notAsked, watch, submissionId, basis, place, selfHref, hasKeys, answer, isJustDecided } = props;
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
      <DecidedCard view={view} backHref={place.listHref} isJustDecided={isJustDecided} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_23rem]">
        <Findings view={view} selfHref={selfHref} submissionId={submissionId} answer={answer}>
          {view.story && <ChangeStoryBanner story={view.story} />}
          {view.renaming && <ChangeStoryBanner story={view.renaming} />}
          <ContactsToldCallout told={view.contactsTold} />
          <ConfirmFirst
            missing={view.missingConfirmation}
            then="An approval before that rests on a call, or on what you compared yourself, and never on a bank."
          />
          {view.canDecide && <SubscriptionFirst answer={answer} />}
          {isPending && <VerdictStrip verdict={words.verdict} compareWith={view.compareWith} money={view.money} />}
          {isPending && notAsked && <Callout tone="info" title={notAsked} />}
          <DetailsOrigin origin={view.origin} />
          {dispute && <Dispute {...dispute} />}
        </Findings>
        {/* What stays in the window is not higher than the window: Reject would be out of reach. */}
        {view.canDecide && (
          <div data-screen-only className={view.former ? "" : "lg:top-21 lg:[@media(min-height:50rem)]:sticky"}>
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

type Keys = ComponentType<{ place: ReviewPageData["place"] }>;

/** "3 of 14" within the view of the queue, with its neighbours on either side. */
function ReviewPlace({ place, hasKeys }: { place: ReviewPageData["place"]; hasKeys: boolean }) {
  const Keys = useKeys(hasKeys);
  return (
    <Neighbours label="Review queue" place={place}>
      {Keys && <Keys place={place} />}
    </Neighbours>
  );
}

/** Loaded once: the next verification's keys work at once. */
let loaded: { Keys: Keys } | undefined;

/** Keys need a script anyway, so only people who switched them on load theirs. */
function useKeys(hasKeys: boolean): Keys | undefined {
  const [keys, setKeys] = useState(loaded);
  useEffect(() => {
    if (!hasKeys || loaded) return;
    let isWanted = true;
    import("~/components/verifying/review-keys").then(
      ({ ReviewKeys }) => {
        loaded = { Keys: ReviewKeys };
        if (isWanted) setKeys(loaded);
      },
      () => {}, // Without the file the page works as it does without scripts.
    );
    return () => {
      isWanted = false;
    };
  }, [hasKeys]);
  return hasKeys ? keys?.Keys : undefined;
}

const FIRST_MS = 3_000;
const LONGEST_MS = 60_000;

/** While a bank check runs, asks for the page's data again, less and less often, and not while nobody looks. */
function useRunningCheck(isRunning: boolean): void {
  const { revalidate } = useRevalidator();
  const again = useRef(revalidate);
  again.current = revalidate;
  useEffect(() => {
    if (!isRunning) return;
    let waitMs = FIRST_MS;
    let timer = setTimeout(look, waitMs);
    function look() {
      if (document.visibilityState === "visible") again.current();
      waitMs = Math.min(LONGEST_MS, waitMs * 1.6);
      timer = setTimeout(look, waitMs);
    }
    return () => clearTimeout(timer);
  }, [isRunning]);
}

/**
 * Keeps the page up to date while a bank check runs, and says politely what the check says. Without a script only a page
 * that holds no form loads itself again, so that nothing that is typed is lost.
 */
function RunningCheck({ watch, said }: { watch: ReviewPageData["watch"]; said: string }) {
  useRunningCheck(watch !== null);
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
              <a href={watch.link.href} className="font-medium text-accent-text underline underline-offset-2">
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
  "The connection broke before an answer came. What you typed is still here. Look at the verification before you send it again.";

/** For a form whose answer was lost on the way: a link that looks, without sending anything again. */
function LostAnswer({ answer, selfHref }: { answer: FormAnswer; selfHref: string }) {
  return (
    <Callout
      tone="warning"
      role="alert"
      title={answer.title}
      className="mb-6"
      actions={
        <Button to={selfHref} reloadDocument variant="secondary" icon="refresh">
          Look whether it arrived
        </Button>
      }
    >
      {answer.formErrors.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </Callout>
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

interface VerdictStripProps {
  verdict: VerificationWords["verdict"];
  /** Other payees that the verdict is about. */
  compareWith: ReviewPageData["view"]["compareWith"];
  money: string;
}

/** Where the verification stands, the strongest evidence, the money that waits for it, and the next step. */
function VerdictStrip({ verdict, compareWith, money }: VerdictStripProps) {
  return (
    <section
      aria-label="Verdict"
      className={cx("grid gap-x-8 gap-y-3 rounded-base border p-5 sm:grid-cols-[auto_1fr]", toneWash[verdict.tone])}
    >
      <p className="flex items-center gap-2.5 font-semibold text-lg">
        <Icon name={verdict.icon} className="size-6" />
        {verdict.word}
      </p>
      <div className="min-w-0 text-base text-ink">
        {verdict.evidence.length > 0 && (
          <ul className="grid gap-0.5">
            {verdict.evidence.map((sentence) => (
              <li key={sentence} className="break-words">
                {sentence}
              </li>
            ))}
          </ul>
        )}
        <p className={verdict.evidence.length > 0 ? "mt-1.5 text-ink-soft" : "text-ink-soft"}>{verdict.next}</p>
        {compareWith.length > 0 && (
          <p className="mt-1.5 flex flex-wrap gap-x-4 gap-y-1">
            {compareWith.map(({ name, href }) => (
              <Link
                key={href}
                to={href}
                className="min-w-0 break-words font-medium text-accent-text underline underline-offset-2"
              >
                Look at {name}
              </Link>
            ))}
          </p>
        )}
      </div>
      <p className="figures text-base text-ink sm:col-start-2">{money}</p>
    </section>
  );
}

interface DecidedCardProps {
  view: ReviewPageData["view"];
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

function Dispute({ note, advice }: { note: string | null; advice: string | null }) {
  return (
    <Callout tone="danger" title="The payee says that these are not their details">
      {advice}
      {note && <blockquote className="mt-2 border-review border-l-2 pl-3">{note}</blockquote>}
    </Callout>
  );
}

function History({ view }: { view: ReviewPageData["view"] }) {
  return (
    <Card
      title="History"
      description="From the audit trail, which only grows: an entry is never edited or deleted."
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
