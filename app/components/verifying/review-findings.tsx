import { type ReactNode, useId } from "react";
import { answerTo, Form, type FormAnswer, SubmitButton } from "~/components/forms/form";
import { onDemand } from "~/components/on-demand";
import { EmailDomainCard, RegisterCard } from "~/components/payees/payee-facts";
import { DifferenceList } from "~/components/payees/verification/difference-list";
import { MarkedName } from "~/components/payees/verification/marked-name";
import { Disclosure } from "~/components/ui/disclosure";
import {
  Badge,
  Button,
  Callout,
  cx,
  Icon,
  type IconName,
  Link,
  linkClass,
  type Tone,
  toneText,
} from "~/components/ui/elements";
import { Card, Time } from "~/components/ui/page-parts";
import { ScoreFigure, ScoreLine } from "~/components/ui/score-figure";
import { appPaths } from "~/kernel/paths/app";
import type { MarkedNames, Reason } from "~/modules/name-match";
import type { ComparedRow, SubmittedDetails, VerifiedDetails } from "~/modules/verifying/review/review-known";
import * as onServer from "./on-demand.server";
import type { ReviewPageData } from "./review-page";

const PayeeLinkCard = onDemand(onServer.PayeeLinkCard, () =>
  import("./review-on-demand").then(({ PayeeLinkCard }) => PayeeLinkCard),
);
const CallForm = onDemand(onServer.CallForm, () => import("./review-on-demand").then(({ CallForm }) => CallForm));

type ComparisonProps = Pick<ReviewPageData, "view" | "selfHref" | "submissionId">;

/** The submitted details beside the bank's, and the bank checks that can be started. */
export function Comparison({ view, selfHref, submissionId }: ComparisonProps) {
  const { words } = view;
  return (
    <ComparisonCard
      submitted={view.submitted}
      verified={view.verified}
      rows={view.rows}
      match={view.match}
      isRed={words.verdict.isRed}
      nameNote={view.nameNote}
      answer={view.status === "pending" ? { ...words.answer, next: null } : words.answer}
      absent={words.absent}
      source={view.source}
      checkAction={<BankCheckAction view={view} selfHref={selfHref} submissionId={submissionId} />}
    />
  );
}

type FindingsProps = Pick<ReviewPageData, "view" | "submissionId"> & { answer?: FormAnswer };

/** Further facts after the decision: calls, the payee's link, and what we know about the account. */
export function Findings({ view, submissionId, answer }: FindingsProps) {
  return (
    <>
      <CallBackCard
        view={view.callBacks}
        canRecord={view.canDecide}
        submissionId={submissionId}
        answer={answerTo(answer, "record-call")}
      />
      <PayeeLinkCard view={view} />
      {view.register && <RegisterCard register={view.register} />}
      {view.domain && <EmailDomainCard domain={view.domain} />}
      {view.evidence && (
        <div className="rounded-base border border-line bg-surface px-5 *:border-b-0">
          <Disclosure
            headingLevel={2}
            summary={`What we know about this account, ${view.evidence.length === 1 ? "1 finding" : `${view.evidence.length} findings`}`}
          >
            <p className="mb-4">
              Gathered when the verification was opened, and again if the payee’s email has changed since.
            </p>
            <div className="text-ink">
              <EvidenceList lines={view.evidence} />
            </div>
          </Disclosure>
        </div>
      )}
    </>
  );
}

interface BankCheckActionProps {
  view: ReviewPageData["view"];
  selfHref: string;
  submissionId: string;
}

/** The checks with the payee's bank that can be started now, or a button that polls the running one. */
function BankCheckAction({ view, selfHref, submissionId }: BankCheckActionProps) {
  const { check, checks, payee } = view;
  return (
    <>
      {checks.length > 0 && (
        <Form method="post" preventScrollReset className="flex flex-wrap gap-2">
          <input type="hidden" name="submissionId" value={submissionId} />
          {checks.map(({ label, ...button }) => (
            <SubmitButton key={label} name="intent" icon="bank" {...button}>
              {label}
            </SubmitButton>
          ))}
        </Form>
      )}
      {check === "running" && (
        <Button to={selfHref} variant="secondary" icon="refresh" preventScrollReset>
          Check again
        </Button>
      )}
      {view.canDecide && check === "no_contact" && (
        <p className="text-base text-ink-soft">
          To ask the bank with the payee's consent,{" "}
          <Link to={appPaths.editPayee(payee.id)} className={linkClass}>
            add an email address or a mobile number
          </Link>{" "}
          to the payee first.
        </p>
      )}
    </>
  );
}

/** What was known about the account when the verification opened, one fact per line. */
function EvidenceList({ lines }: { lines: NonNullable<ReviewPageData["view"]["evidence"]> }) {
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
                <Link to={payee.href} className={linkClass}>
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

interface CallBackCardProps {
  view: ReviewPageData["view"]["callBacks"];
  /** It is undecided, and this person has write access. */
  canRecord: boolean;
  submissionId: string;
  answer?: FormAnswer;
}

/** Calls to the payee about these details, the payee's numbers, and a form for the next call. */
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

function CallItem({ call }: { call: ReviewPageData["view"]["callBacks"]["calls"][number] }) {
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

function PhoneList({ phones }: { phones: ReviewPageData["view"]["callBacks"]["phones"] }) {
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

interface ComparisonCardProps {
  submitted: SubmittedDetails;
  /** The details that the source returned; null while there are none. */
  verified: VerifiedDetails | null;
  rows: readonly ComparedRow[];
  /** The comparison of the two names; null when there is nothing to compare. */
  match: { score: number; reasons: readonly Reason[]; names: MarkedNames } | null;
  /** There is a reason not to pay, so the score is shown small. */
  isRed: boolean;
  /** Advice about a low score; null if it does not help. */
  nameNote: string | null;
  /** The result of the check, in sentences from `verification-words`. */
  answer: { tone: Tone; icon: IconName; title: string; fact: string; next: string | null; isSaid: boolean };
  /** Shown in a cell for which the bank gave no value. */
  absent: string;
  /** Where the verified details came from: "Payee's consent at their bank", with the time. */
  source: string | null;
  /** The button that starts the bank check, or tries again. */
  checkAction?: ReactNode;
}

/** The typed details and the bank's side by side, on which a reviewer bases the decision. */
function ComparisonCard(props: ComparisonCardProps) {
  const { submitted, verified, rows, match, nameNote, absent, source } = props;
  const titleId = useId();
  return (
    <section
      aria-labelledby={titleId}
      className="h-fit min-w-0 overflow-clip rounded-base bg-surface shadow-rest border border-line"
    >
      <CheckAnswer {...props} titleId={titleId} />
      <ComparisonTable submitted={submitted} verified={verified} rows={rows} names={match?.names} absent={absent} />
      {match && <ScoreReasons match={match} nameNote={nameNote} isRed={props.isRed} />}
      {source && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t px-5 py-3 text-ink-soft text-sm">
          <Badge tone="neutral" icon="bank">
            Source
          </Badge>
          {source}
        </div>
      )}
    </section>
  );
}

type CheckAnswerProps = Pick<ComparisonCardProps, "answer" | "checkAction"> & { titleId: string };

/** The bank's answer on one line; the verdict above says what to do. */
function CheckAnswer({ answer, checkAction, titleId }: CheckAnswerProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-3">
      <div className="flex min-w-0 flex-1 basis-72 gap-2.5">
        {!answer.isSaid && <Icon name={answer.icon} className={cx("mt-0.5 size-5", toneText[answer.tone])} />}
        <div className="min-w-0">
          <h2 id={titleId} className={answer.isSaid ? "sr-only" : "font-semibold text-md"}>
            {answer.title}
          </h2>
          <p className="max-w-[60ch] text-base text-ink-soft">{answer.fact}</p>
          {answer.next && <p className="mt-1 max-w-[60ch] text-base">{answer.next}</p>}
        </div>
      </div>
      {checkAction && (
        <div data-screen-only className="flex flex-wrap gap-2">
          {checkAction}
        </div>
      )}
    </div>
  );
}

type ScoreReasonsProps = Pick<ComparisonCardProps, "nameNote" | "isRed"> & {
  match: NonNullable<ComparisonCardProps["match"]>;
};

/** The score, its word and the reasons, collapsed because the verdict takes them into account. */
function ScoreReasons({ match, nameNote, isRed }: ScoreReasonsProps) {
  return (
    <details className="group/score border-line border-t">
      <summary className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 px-5 py-2 hover:bg-sunken">
        <span className="font-medium text-base">Score and why</span>
        <span className="flex items-center gap-2">
          <ScoreLine score={match.score} />
          <Icon name="chevronDown" className="size-4 text-ink-soft group-open/score:rotate-180" />
        </span>
      </summary>
      <div className="flex flex-wrap items-start justify-between gap-4 px-5 pb-5">
        <div className="min-w-0 flex-1 basis-72">
          <h3 className="mb-2 font-medium text-base">Why this score</h3>
          <DifferenceList reasons={match.reasons} />
        </div>
        {!isRed && <ScoreFigure score={match.score} />}
        {nameNote && (
          <Callout tone="warning" title="Name difference">
            {nameNote}
          </Callout>
        )}
      </div>
    </details>
  );
}

interface ComparisonTableProps {
  rows: readonly ComparedRow[];
  submitted: SubmittedDetails;
  verified: VerifiedDetails | null;
  /** The two names with their differences marked, if both are known. */
  names: MarkedNames | undefined;
  /** Shown in a cell when there is no answer at all. */
  absent: string;
}

/** The two columns of the comparison card. */
function ComparisonTable({ submitted, verified, rows, names, absent: nothing }: ComparisonTableProps) {
  const absent = <Absent>{verified ? "Not given" : nothing}</Absent>;
  return (
    <table className="w-full table-fixed border-line border-t text-left max-sm:block">
      <caption className="sr-only">Submitted details beside verified details</caption>
      <thead className="text-ink-soft text-sm max-sm:hidden">
        <tr className="bg-sunken">
          <td className="w-36 py-1.5" />
          <th scope="col" className="border-line border-l px-4 py-1.5 font-medium">
            Submitted details
          </th>
          <th scope="col" className="border-line border-l px-4 py-1.5 font-medium">
            Verified details
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line border-line sm:border-t max-sm:block">
        <ComparisonRow
          prominent
          label="Account name"
          submitted={names ? <MarkedName stretches={names.submitted} /> : submitted.accountName}
          verified={
            verified?.accountName ? (
              <VerifiedName {...verified} accountName={verified.accountName} names={names} />
            ) : (
              absent
            )
          }
          verdict={null}
          // Where there is no answer at all, that is said once, beside all rows.
          span={verified ? 1 : rows.length + 1}
        />
        {rows.map(({ label, verdict, ...row }) => (
          <ComparisonRow
            key={label}
            label={label}
            submitted={row.submitted ?? <Absent>Unknown BSB</Absent>}
            verified={row.verified ?? absent}
            verdict={verdict}
            span={verified ? 1 : 0}
          />
        ))}
      </tbody>
    </table>
  );
}

type VerifiedNameProps = { accountName: string; otherHolders?: readonly string[]; names: MarkedNames | undefined };

function VerifiedName({ accountName, otherHolders = [], names }: VerifiedNameProps) {
  return (
    <>
      {names ? <MarkedName stretches={names.held} /> : accountName}
      {otherHolders.length > 0 && <span className="block text-ink-soft text-sm">with {otherHolders.join(", ")}</span>}
    </>
  );
}

interface ComparisonRowProps {
  label: string;
  submitted: ReactNode;
  verified: ReactNode;
  verdict: ComparedRow["verdict"];
  /** How many rows the second cell covers; 0: that of an earlier row covers it. */
  span: number;
  /** For the name, which is larger and judged by its score rather than by this row. */
  prominent?: boolean;
}

/** One row of the comparison. Below 640 px names are one above the other, shorter values side by side. */
function ComparisonRow({ label, submitted, verified, verdict, span, prominent }: ComparisonRowProps) {
  const line = prominent ? "text-lg sm:text-md" : "figures text-md";
  const cell = "border-line py-1.5 align-top max-sm:p-0 sm:border-l sm:px-4";
  return (
    <tr
      className={cx(
        "max-sm:grid max-sm:gap-x-4 max-sm:gap-y-2 max-sm:px-5 max-sm:py-4",
        !prominent && "max-sm:grid-cols-2 max-sm:[&>th]:col-span-2",
      )}
    >
      <th scope="row" className="py-1.5 align-top font-normal text-base text-ink-soft max-sm:p-0 sm:pl-5">
        {label}
      </th>
      <td className={cell}>
        <StackLabel>Submitted</StackLabel>
        <span className={cx("block", line)}>{submitted}</span>
      </td>
      {span !== 0 && (
        <td className={cell} rowSpan={span}>
          <StackLabel>Verified</StackLabel>
          <span className={cx("flex flex-wrap items-start justify-between gap-x-4", line)}>
            <span className="min-w-0">{verified}</span>
            {verdict && <Verdict same={verdict.same}>{verdict.word}</Verdict>}
          </span>
        </td>
      )}
    </tr>
  );
}

function Verdict({ same, children }: { same: boolean; children: string }) {
  return (
    <span
      className={cx(
        "inline-flex h-[1.5625rem] items-center gap-1 font-medium text-sm",
        same ? "text-verified" : "text-review",
      )}
    >
      <Icon name={same ? "equals" : "notEquals"} className="size-4" />
      {children}
    </span>
  );
}

function StackLabel({ children }: { children: string }) {
  return <span className="block text-ink-soft text-xs sm:hidden">{children}</span>;
}

/** A value that the bank did not give. */
function Absent({ children = "Not given" }: { children?: string }) {
  return <span className="text-base text-ink-soft">{children}</span>;
}
