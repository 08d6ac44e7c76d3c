import { Link } from "@remix-run/react";
import { PasskeyApproval } from "~/components/accounts/identity/passkey-approval";
import { Textarea, TextInput } from "~/components/forms/fields";
import { type FormAnswer, FormErrorSummary, HiddenFields, PostForm, SubmitButton } from "~/components/forms/form";
import { RefusedAct, SubscriptionFirst } from "~/components/forms/refused-act";
import { ChangeStoryBanner } from "~/components/payees/change-story";
import { DetailsOrigin, GradeNote } from "~/components/payees/details-origin";
import { EvidenceLinks } from "~/components/payees/evidence/evidence-links";
import { PayeeStatusBadge } from "~/components/payees/payee-status-badge";
import { ReasonList } from "~/components/payees/verification/reason-list";
import { DecisionBar, DecisionPlace, type DecisionPlaceProps } from "~/components/payments/decision-place";
import { Button, Callout, type CalloutTone, cx, type IconName, linkClass, type Tone } from "~/components/ui/elements";
import {
  AccountNumber,
  Amount,
  Bsb,
  Card,
  type Definition,
  DefinitionList,
  PageHeader,
  Time,
} from "~/components/ui/page-parts";
import { StatusBadge } from "~/components/ui/status-badge";
import { Timeline, type TimelineEvent } from "~/components/ui/timeline";
import { ChangeMark, VerdictBadge } from "~/components/verifying/verdict-badge";
import type { PaymentStatus } from "~/kernel/enums";
import { formatAud } from "~/kernel/money";
import { appPaths } from "~/kernel/paths/app";
import { CONTACT_AND_BANK_WINDOW_DAYS } from "~/kernel/payee";
import { paymentDone, paymentStanding } from "~/kernel/payment-sentences";
import type { OfferedApproval } from "~/modules/accounts/identity/signed-approval.server";
import type { ChangeStory } from "~/modules/payees/change-story";
import { DECISIONS, MAX_REASON_LENGTH, type PaymentFlag } from "~/modules/payments/payment";
import { paymentsHref } from "~/modules/payments/payment-list";
import type { PaymentView, ShownStep } from "~/modules/payments/payment-page.server";

interface PaymentPageProps extends DecisionPlaceProps {
  payment: PaymentView;
  /** Who may approve instead, as a sentence; null: this person may, or nobody else could. */
  approvers: string | null;
  /** How the payee's present bank details came about; null: they never changed, or the payment has ended. */
  change: { story: ChangeStory; phone: string | null } | null;
  /** What this person's passkey signs to approve; null: the organisation does not ask for one. */
  approval: OfferedApproval | null;
  submissionId: string;
  answer?: FormAnswer;
}

/** One payment: its account, why it is held, the possible decisions, and its history. */
export function PaymentPage(props: PaymentPageProps) {
  const { payment, place, hasKeys, approvers, change, approval, submissionId, answer } = props;
  const { status, decisions, hasOutcome, flags } = payment;
  return (
    <div className="contents" data-red={payment.isRed || undefined}>
      <PageHeader
        title={`${formatAud(payment.amount)} to ${payment.payee?.name ?? payment.account.accountName}`}
        breadcrumb={[{ label: "Payments", to: appPaths.payments }]}
        badges={<StatusBadge of="payment" status={status} />}
        actions={
          <DecisionPlace
            label="Held payments"
            next="Next held payment"
            place={{ ...place, listHref: place.listHref ?? paymentsHref({ filter: "held" }) }}
            hasKeys={hasKeys}
          />
        }
      />
      <RefusedAct answer={answer} />
      <FormErrorSummary errors={answer?.errors} />
      {decisions.includes("request_verification") && <SubscriptionFirst answer={answer} />}
      <PaymentFlags flags={flags} isAuthorised={status === "authorised"} />
      <DetailsOrigin origin={payment.origin} />
      {change && <ChangeBefore {...change} />}
      {status === "verification_requested" && <WaitingForVerification verificationId={payment.verificationId} />}
      <div className="grid items-start gap-6 @[52rem]/pane:grid-cols-[minmax(0,2fr)_minmax(18rem,1fr)] print:block print:*:mb-6">
        <Reasons payment={payment} />
        {decisions.length > 0 && (
          <div data-screen-only id="decide" className={cx("scroll-mt-24", BESIDE, STAYS)}>
            <DecisionCard {...{ payment, approvers, approval, submissionId, answer }} />
          </div>
        )}
        {hasOutcome && (
          <div data-screen-only>
            <OutcomeCard {...{ payment, submissionId, answer }} />
          </div>
        )}
        <Card title="Payment">
          <DefinitionList items={[...recipientItems(payment), ...purposeItems(payment), ...outcomeItems(payment)]} />
        </Card>
        <Card title="History" className={decisions.length > 0 ? undefined : BESIDE}>
          <Timeline label="History of the payment" events={payment.steps.map(toEvent)} />
          <EvidenceLinks
            pdfHref={appPaths.paymentEvidencePdf(payment.id)}
            jsonHref={appPaths.paymentEvidence(payment.id)}
            auditHref={appPaths.auditOf("payment", payment.id)}
          />
        </Card>
        <div data-screen-only>
          <Button to={appPaths.paymentReplay(payment.id)} variant="secondary" size="sm">
            Run the decision again
          </Button>
        </div>
      </div>
      {decisions.length > 0 && <DecisionBar cents={payment.amount} />}
    </div>
  );
}

/** The second column, where there is room for one. */
const BESIDE = "@[52rem]/pane:col-start-2 @[52rem]/pane:row-span-5 @[52rem]/pane:row-start-1";
/** In reach while what speaks for and against it is read; a low window lets it go. */
const STAYS = "[@media(min-height:40rem)]:@[52rem]/pane:sticky top-6";

const FLAGS: Record<PaymentFlag, { tone: CalloutTone; title: string; text: string }> = {
  account_changed: {
    tone: "danger",
    title: "The payee now has a different account",
    text: "This payment still goes to the account it was recorded with, which the payee no longer has. If the new account is right, stop this payment and record it again.",
  },
  disputed: {
    tone: "danger",
    title: "The payee says these are not its details",
    text: "Call the payee on a number you already know, not one from a recent email or invoice, before any money leaves.",
  },
  details_changed: {
    tone: "warning",
    title: "The payee's bank details have changed and are not verified yet",
    text: "Ask who asked for the change, and confirm it on a number you already know.",
  },
  former_account: {
    tone: "danger",
    title: "The payee's account belonged to another payee before",
    text: "No one has approved the account knowing that. Ask why the account is the same, using a contact you already had, before any money leaves.",
  },
  renamed: {
    tone: "warning",
    title: "The payee was renamed and is not verified under its new name yet",
    text: "Its bank details were confirmed under the name it had before. Ask who wanted the new name, and confirm whose account it is.",
  },
  contact_and_bank_changed: {
    tone: "danger",
    title: "The payee's contact and bank details changed close together",
    text: `Email or phone and the bank details were changed within ${CONTACT_AND_BANK_WINDOW_DAYS} days of each other. A fraudster who changed both would answer your call: use a number from before the change.`,
  },
};

const STOP = " This payment is authorised: to stop it, mark it failed and say why.";

/** What has come up about the payee since the rules ran. */
function PaymentFlags({ flags, isAuthorised }: { flags: readonly PaymentFlag[]; isAuthorised: boolean }) {
  if (flags.length === 0) return null;
  return (
    <div className="mb-6 grid gap-3">
      {flags.map((flag, index) => (
        <Callout key={flag} tone={FLAGS[flag].tone} title={FLAGS[flag].title}>
          {FLAGS[flag].text}
          {isAuthorised && index === 0 && STOP}
        </Callout>
      ))}
    </div>
  );
}

function Reasons({ payment }: { payment: PaymentView }) {
  const { reasons, flags } = payment;
  if (reasons.length === 0) {
    return (
      <Callout tone={flags.length > 0 ? "info" : "success"} title="No rule flagged this payment when it was recorded">
        It was authorised at once.
      </Callout>
    );
  }
  return (
    <Card title={titleOfReasons(payment)}>
      <ReasonList reasons={reasons} />
    </Card>
  );
}

function titleOfReasons({ reasons, status }: PaymentView): string {
  if (!reasons.some(({ level }) => level === "hold")) return "What to look at";
  return status === "held" ? "Why this payment is held" : "Why this payment was held";
}

function ChangeBefore({ story, phone }: NonNullable<PaymentPageProps["change"]>) {
  return (
    <>
      <ChangeStoryBanner story={story} />
      <p className="mb-6 max-w-[70ch] text-base">
        {phone === null
          ? "No phone number was on file before this change. Find one in a contract or an old invoice before you call."
          : `Ask on ${phone}, the number on file before this change.`}
      </p>
    </>
  );
}

function WaitingForVerification({ verificationId }: { verificationId: string | null }) {
  return (
    <Callout
      tone="warning"
      icon="clock"
      title={`This payment ${paymentStanding("verification_requested")}`}
      className="mb-6"
      actions={
        verificationId && (
          <Button to={appPaths.verification(verificationId)} variant="secondary">
            Go to the verification
          </Button>
        )
      }
    >
      When the verification is decided, this payment is held again and needs a decision.
    </Callout>
  );
}

const DECIDING = Object.keys(DECISIONS);

const BARS: Record<NonNullable<PaymentView["approvalBar"]>, string> = {
  above_limit:
    "The amount, with what else was authorised to this payee today, is above what you may approve. A person with a higher approval limit has to approve this payment.",
  second_person_required:
    "Your organisation requires a second person. You recorded this payment, entered the payee's bank details here or in the accounting system they came from, connected that system or asked for the verification, so another person has to approve it.",
  account_changed:
    "The payee now has a different account, so this payment can only be rejected. Record it again if the new account is right.",
  payee_required: "There is no payee to verify behind this account.",
};

/** Approve, reject, or ask for more verification: one reason field, with the buttons always in the same place. */
function DecisionCard(props: Omit<PaymentPageProps, "place" | "hasKeys" | "change">) {
  const { payment, approvers, approval, submissionId, answer } = props;
  const { decisions, approvalBar, isOwn, isRed, basis, payee } = payment;
  const refused = DECIDING.some((intent) => intent === answer?.intent) ? answer : undefined;
  const signing = approval && (
    <PasskeyApproval approval={approval} name="intent" value="approve" isSecondary={isOwn || isRed} />
  );
  return (
    <Card title="Your decision" description="A held payment can be paid only after someone approves it.">
      <PostForm answer={refused} summary={false} className="grid gap-4">
        <HiddenFields values={{ submissionId, basis }} />
        {approvalBar && (
          <p className="text-base">
            {BARS[approvalBar]} {approvers}
          </p>
        )}
        {decisions.includes("approve") && isOwn && (
          <p className="text-ink-soft text-sm">
            This is your own work: you recorded the payment, entered the payee's bank details here or in the accounting
            system they came from, connected that system or asked for the verification. The audit trail will say so.
          </p>
        )}
        <Textarea
          name="reason"
          label="Reason"
          hint="What you checked, and with whom. Kept in the audit trail."
          required
          rows={2}
          maxLength={MAX_REASON_LENGTH}
        />
        {!isRed && signing}
        <DecisionButtons
          decisions={approval ? decisions.filter((decision) => decision !== "approve") : decisions}
          isOwn={isOwn}
          isRed={isRed}
        />
        {isRed && signing}
        {decisions.includes("request_verification") && payee && (
          <p className="text-ink-soft text-sm">
            Requesting verification needs no reason. The payment comes back here when the verification of {payee.name}{" "}
            is decided.
          </p>
        )}
      </PostForm>
    </Card>
  );
}

/** Approve is highlighted only for a second person and without warnings about the payee; otherwise Reject is. */
function DecisionButtons({ decisions, isOwn, isRed }: Pick<PaymentView, "decisions" | "isOwn" | "isRed">) {
  const approve = decisions.includes("approve") && (
    <SubmitButton
      name="intent"
      value="approve"
      variant={isOwn || isRed ? "secondary" : "primary"}
      icon="check"
      pendingText="Approving..."
    >
      Approve
    </SubmitButton>
  );
  return (
    <div className="flex flex-wrap gap-3">
      {!isRed && approve}
      {decisions.includes("reject") && (
        <SubmitButton name="intent" value="reject" variant="danger" icon="x" pendingText="Rejecting...">
          Reject
        </SubmitButton>
      )}
      {decisions.includes("request_verification") && (
        <SubmitButton
          name="intent"
          value="request_verification"
          variant="secondary"
          icon="shield"
          pendingText="Asking..."
        >
          Request verification
        </SubmitButton>
      )}
      {isRed && approve}
    </div>
  );
}

/** Records what the bank did with an authorised payment: two forms, so Enter in one cannot press the other's button. */
function OutcomeCard({ payment, submissionId, answer }: Pick<PaymentPageProps, "payment" | "submissionId" | "answer">) {
  const isEarning = payment.payee !== null && payment.payee.status !== "whitelisted";
  return (
    <Card
      title="How did the payment end?"
      description={isEarning && "Three successful payments put the payee on your whitelist."}
    >
      <div className="grid gap-x-8 gap-y-6 sm:grid-cols-2">
        <PostForm intent="successful" answer={answer} summary={false} className="flex flex-col items-start gap-4">
          <HiddenFields values={{ submissionId }} />
          <TextInput name="processedOn" type="date" label="Paid on" hint="Leave empty for today." className="w-full" />
          <SubmitButton icon="check" pendingText="Saving..." className="mt-auto">
            Mark successful
          </SubmitButton>
        </PostForm>
        <PostForm intent="failed" answer={answer} summary={false} className="flex flex-col items-start gap-4">
          <HiddenFields values={{ submissionId }} />
          <Textarea
            name="reason"
            label="Why it failed or was stopped"
            required
            rows={2}
            maxLength={MAX_REASON_LENGTH}
            className="w-full"
          />
          <SubmitButton variant="danger" icon="x" pendingText="Saving..." className="mt-auto">
            Mark failed
          </SubmitButton>
        </PostForm>
      </div>
    </Card>
  );
}

function recipientItems({ payee, nextStep, verdict, account, institution }: PaymentView): Definition[] {
  return [
    {
      term: "Payee",
      value: payee ? (
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Link to={appPaths.payee(payee.id)} className={linkClass}>
            {payee.name}
          </Link>
          <PayeeStatusBadge status={payee.status} headline={payee.headline} />
          <GradeNote grade={payee.grade} />
        </span>
      ) : (
        <span className="flex flex-wrap gap-x-3">
          Not one of your payees
          {nextStep && (
            <Link to={nextStep.href} className={linkClass}>
              {nextStep.label}
            </Link>
          )}
        </span>
      ),
    },
    ...verdictItems(verdict),
    { term: "Account name", value: account.accountName },
    {
      term: "Account",
      value: (
        <span className="flex flex-wrap gap-x-3">
          <Bsb value={account.bsb} /> <AccountNumber value={account.accountNumber} />
          <span className="text-ink-soft">{institution ?? "No institution is known for this BSB"}</span>
        </span>
      ),
    },
  ];
}

/** The state of the payee's open verification, and what to do about it. */
function verdictItems(verdict: PaymentView["verdict"]): Definition[] {
  if (verdict === null) return [];
  const value = (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <VerdictBadge verdict={verdict} />
      {verdict.change && <ChangeMark change={verdict.change} />}
      <Link to={appPaths.verification(verdict.verificationId)} className={linkClass}>
        Go to the verification
      </Link>
      {verdict.isRed &&
        verdict.evidence.map((sentence) => (
          <span key={sentence} className="w-full break-words text-sm">
            {sentence}
          </span>
        ))}
      <span className="w-full text-ink-soft text-sm">{verdict.next}</span>
    </span>
  );
  return [{ term: "Its verification", value }];
}

const purposeItems = ({ amount, reference, description }: PaymentView): Definition[] => [
  { term: "Amount", value: <Amount cents={amount} className="font-medium" /> },
  { term: "Reference", value: <span className="break-words">{reference}</span> },
  ...(description ? [{ term: "Description", value: <span className="break-words">{description}</span> }] : []),
];

function outcomeItems({ verificationId, processedAt, status, failureReason }: PaymentView): Definition[] {
  const items: Definition[] = [];
  if (verificationId) {
    const value = (
      <Link to={appPaths.verification(verificationId)} className={linkClass}>
        The verification that was asked for
      </Link>
    );
    items.push({ term: "Verification", value });
  }
  if (processedAt) items.push({ term: status === "failed" ? "Failed" : "Paid", value: <Time {...processedAt} /> });
  if (failureReason) items.push({ term: "Why it failed", value: failureReason });
  return items;
}

const LOOKS: Record<PaymentStatus, { icon: IconName; tone: Tone }> = {
  authorised: { icon: "checkCircle", tone: "verified" },
  held: { icon: "pause", tone: "review" },
  verification_requested: { icon: "clock", tone: "pending" },
  rejected: { icon: "xCircle", tone: "review" },
  successful: { icon: "check", tone: "verified" },
  failed: { icon: "alert", tone: "review" },
};

const RECORDED = { icon: "plus", what: "recorded this payment" } as const;

function toEvent({ id, to, who, when, note }: ShownStep): TimelineEvent {
  return {
    id,
    who,
    when,
    note: note ?? undefined,
    ...(to === null ? RECORDED : { ...LOOKS[to], what: paymentDone(to) }),
  };
}
