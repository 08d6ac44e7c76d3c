import { cx } from "~/components/cx";
import { Form } from "~/components/forms/form";
import { SubmitButton } from "~/components/forms/post-form";
import { onDemand } from "~/components/on-demand";
import { EmailDomainCard, RegisterCard } from "~/components/payees/payee-facts";
import { ComparisonCard } from "~/components/payees/verification/comparison-card";
import { Badge, toneText } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { Disclosure } from "~/components/ui/disclosure";
import { Icon } from "~/components/ui/icons";
import { Link } from "~/components/ui/link";
import { Time } from "~/components/ui/time";
import { answerTo, type FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import * as onServer from "./on-demand.server";
import type { ReviewPageData } from "./review-page";

const PayeeLinkCard = onDemand(onServer.PayeeLinkCard, () =>
  import("./payee-link-card").then(({ PayeeLinkCard }) => PayeeLinkCard),
);
const CallForm = onDemand(onServer.CallForm, () => import("./call-form").then(({ CallForm }) => CallForm));

type ComparisonProps = Pick<ReviewPageData, "view" | "selfHref" | "submissionId">;

/** What was submitted beside what the bank says, and the checks with the bank that can be made. */
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

/** What else is known, after the decision: who was called, what the payee was asked, and what we know of the account. */
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
            <p className="mb-4">Gathered when the verification was opened, and when the payee’s email changed since.</p>
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

/** The checks with the payee's bank that can be made now, or a look whether the one under way has ended. */
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
          To ask the payee's bank,{" "}
          <Link to={appPaths.editPayee(payee.id)} className="font-medium text-accent-text underline underline-offset-2">
            add an email address or a mobile number
          </Link>{" "}
          to the payee first.
        </p>
      )}
    </>
  );
}

/** What was known of the account when the verification opened, one thing a line. */
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

interface CallBackCardProps {
  view: ReviewPageData["view"]["callBacks"];
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
