import { Link, useLocation } from "@remix-run/react";
import { useEffect } from "react";
import { Textarea } from "~/components/forms/fields";
import { answerTo, type FormAnswer, HiddenFields, PostForm, SubmitButton } from "~/components/forms/form";
import { RadioGroup } from "~/components/forms/radio-group";
import { RefusedAct, SubscriptionFirst } from "~/components/forms/refused-act";
import { useErrorTitle } from "~/components/layout/page-title";
import { MarkedName } from "~/components/payees/verification/marked-name";
import { DecisionBar, DecisionPlace, type DecisionPlaceProps } from "~/components/payments/decision-place";
import { Disclosure } from "~/components/ui/disclosure";
import {
  Badge,
  Button,
  buttonClass,
  Callout,
  cx,
  Icon,
  type IconName,
  linkClass,
  type Tone,
  toneWash,
} from "~/components/ui/elements";
import { Amount, Card, DefinitionList, PageHeader, Time } from "~/components/ui/page-parts";
import { useReloadWhile } from "~/components/ui/use-reload-while";
import { appPaths } from "~/kernel/paths/app";
import { invoicesHref, NEEDS_ANOTHER } from "~/modules/payments/invoices/invoice";
import type { InvoiceView } from "~/modules/payments/invoices/invoice-page.server";
import { MAX_REASON_LENGTH } from "~/modules/payments/payment";
import { AccountCard } from "./invoice-account";

const FIRST_LOOK_MS = 1_000;

interface InvoicePageProps {
  invoice: InvoiceView;
  answer?: FormAnswer;
}

/** One invoice: the verdict, its account beside the verified one, the findings, and the decision. */
export function InvoicePage({ invoice, place, hasKeys, answer }: InvoicePageProps & DecisionPlaceProps) {
  const { pages, fileName, cameFrom, receivedAt } = invoice;
  const { listHref = invoicesHref({ tab: "stopped" }) } = place;
  useReloadWhile(invoice.status === "reading", FIRST_LOOK_MS);
  const found = invoice.status !== "reading" && <FindingsCard invoice={invoice} />;
  return (
    <div className="contents" data-red={invoice.isRed || undefined}>
      <PageHeader
        title={invoice.title}
        description={
          <>
            {fileName !== invoice.title && `${fileName}, `}
            {pages !== null && `${pages} ${pages === 1 ? "page" : "pages"}, `}
            {cameFrom}, <Time {...receivedAt} />
          </>
        }
        breadcrumb={[
          { label: "Payments", to: appPaths.payments },
          { label: "Invoices", to: appPaths.invoices },
        ]}
        actions={
          <DecisionPlace
            label="Invoices that need a decision"
            next="Next to decide"
            place={{ ...place, listHref }}
            hasKeys={hasKeys}
          />
        }
      />
      {!(invoice.isDecidable && answerTo(answer, "decide")) && <RefusedAct answer={answer} />}
      <Verdict invoice={invoice} />
      <div className="grid items-start gap-6 @[52rem]/pane:grid-cols-[minmax(0,2fr)_minmax(18rem,1fr)] print:block print:*:mb-6">
        <div className="grid min-w-0 gap-6">
          {invoice.isStoryFound && found}
          {invoice.lines.length + invoice.compared.length > 0 && <AccountCard invoice={invoice} />}
          {!invoice.isStoryFound && found}
          {invoice.otherWays.length > 0 && (
            <Card
              title="Other ways to pay on this invoice"
              description={
                invoice.hasBpay && invoice.payee === null && "BPAY details are not compared with your payees."
              }
            >
              <DefinitionList
                items={invoice.otherWays.map(({ label, values }) => ({
                  term: label,
                  value: values.map((value) => <p key={value}>{value}</p>),
                }))}
              />
            </Card>
          )}
          {invoice.email && <EmailCard email={invoice.email} />}
        </div>
        <div className="grid min-w-0 gap-6">
          <Aside invoice={invoice} answer={answer} />
        </div>
      </div>
      <Foot invoice={invoice} />
    </div>
  );
}

const ICONS: Readonly<Record<Tone, IconName>> = {
  verified: "checkCircle",
  pending: "alert",
  review: "flag",
  neutral: "dash",
  info: "info",
};

function Verdict({ invoice }: { invoice: InvoiceView }) {
  const { tone, headline, subline, totalCents, dueDate } = invoice;
  return (
    <section
      aria-label="Verdict"
      className={cx(
        "mb-6 flex flex-wrap items-start justify-between gap-x-8 gap-y-3 rounded-base p-5 border",
        toneWash[tone],
      )}
    >
      <div className="flex min-w-0 flex-1 basis-80 gap-3">
        <Icon name={ICONS[tone]} className="mt-1 size-6" />
        <div className="min-w-0">
          <p className="display text-2xl leading-snug">{headline}</p>
          <p className="mt-1 max-w-[65ch] text-base text-ink">{subline}</p>
        </div>
      </div>
      {(totalCents !== null || dueDate) && (
        <div className="text-ink @[52rem]/pane:text-right">
          {totalCents !== null && <Amount cents={totalCents} className="block font-semibold text-lg" />}
          {dueDate && <span className="text-ink-soft text-sm">due {dueDate}</span>}
        </div>
      )}
    </section>
  );
}

const LEVELS: Readonly<Record<string, { tone: Tone; word: string; icon: IconName }>> = {
  stop: { tone: "review", word: "Stop", icon: "flag" },
  warn: { tone: "pending", word: "Warning", icon: "alert" },
  note: { tone: "neutral", word: "Note", icon: "info" },
};

function FindingsCard({ invoice }: { invoice: InvoiceView }) {
  const { findings, silent, comparedOn } = invoice;
  return (
    <Card
      title={findings.length > 0 ? "What was found" : "No rule flagged this invoice"}
      description={comparedOn && `Checked with what was known on ${comparedOn}. Something has changed since.`}
      flush
    >
      <ul className="divide-y divide-line border-line not-empty:border-t">
        {findings.map(({ code, level, message, page }) => {
          const look = LEVELS[level] ?? LEVELS.note;
          return (
            <li key={code} className="grid gap-x-3 gap-y-1 px-5 py-3 text-base sm:grid-cols-[6rem_minmax(0,1fr)]">
              {look && (
                <span>
                  <Badge tone={look.tone} icon={look.icon}>
                    {look.word}
                  </Badge>
                </span>
              )}
              <span className="min-w-0 break-words">
                <MarkedName stretches={message} />
                {page !== null && <span className="text-ink-soft text-sm"> Page {page}.</span>}
              </span>
            </li>
          );
        })}
      </ul>
      {silent.length > 0 && (
        <div className="border-line border-t px-5 *:border-b-0">
          <Disclosure summary={`${silent.length} ${findings.length > 0 ? "other " : ""}checks found nothing`}>
            <ul className="list-disc pl-5">
              {silent.map((label) => (
                <li key={label}>{label}</li>
              ))}
            </ul>
          </Disclosure>
        </div>
      )}
    </Card>
  );
}

function EmailCard({ email }: { email: NonNullable<InvoiceView["email"]> }) {
  return (
    <Card title="The email it came in">
      <DefinitionList
        items={[
          {
            term: "From",
            value: email.from ? `${email.from}, ${email.checked}` : "It names no sender",
          },
          ...(email.replyTo && email.replyTo !== email.from ? [{ term: "Replies go to", value: email.replyTo }] : []),
          ...(email.answered ? [{ term: "The verdict was emailed to", value: email.answered }] : []),
          { term: "Subject", value: email.subject || "It has none" },
          ...(email.attachments.length > 0 ? [{ term: "Files in it", value: email.attachments.join(", ") }] : []),
        ]}
      />
    </Card>
  );
}

function Aside({ invoice, answer }: InvoicePageProps) {
  const { caller, isStopped, decided, payHref, isDecidable, addedPayeeHref, recorded, isCreditNote } = invoice;
  return (
    <>
      {isStopped && !decided && caller && <CallCard caller={caller} />}
      {decided && (
        <Card title={decided.decision === "accept" ? "Accepted" : "Stopped"}>
          <p className="text-base">
            {decided.by ?? "A former colleague"} {decided.decision === "accept" ? "accepted" : "stopped"} it
            {decided.at && (
              <>
                , <Time {...decided.at} />
              </>
            )}
            .
          </p>
          {decided.reason && <p className="mt-2 break-words text-base text-ink-soft">“{decided.reason}”</p>}
        </Card>
      )}
      {payHref && (
        <Card title="What happens next">
          <p className="mb-4 text-base text-ink-soft">
            The payment form opens with what was read filled in. {MISMATCH[invoice.mismatch].account}
          </p>
          <Button to={payHref}>Record this payment</Button>
        </Card>
      )}
      {recorded && (
        <Card title="Its payment">
          <p className="text-base text-ink-soft">
            <Link to={recorded.to} className={linkClass}>
              A payment of this number and amount
            </Link>{" "}
            was recorded on {recorded.on}.
          </p>
        </Card>
      )}
      {isCreditNote && (
        <Card title="What happens next">
          <p className="text-base text-ink-soft">A credit note lowers what you owe: there is nothing to pay on it.</p>
        </Card>
      )}
      {addedPayeeHref && (
        <Callout tone="info" title="The account on the invoice was added as a separate payee">
          <Link to={addedPayeeHref} className={linkClass}>
            See whether it was verified
          </Link>
          . No other payee was changed.
        </Callout>
      )}
      {invoice.offersPayee && <NewDetailsCard invoice={invoice} answer={answer} />}
      {isDecidable && <DecisionCard invoice={invoice} answer={answer} />}
    </>
  );
}

/** What happens to a payment that goes to a different account from its invoice's, or whose invoice was stopped. */
const MISMATCH: Readonly<Record<InvoiceView["mismatch"], { account: string; stopped: string }>> = {
  hold: {
    account: "If a different account is paid later, the payment is held.",
    stopped: "Payments that match it are held.",
  },
  warn: {
    account: "If a different account is paid later, the payment gets a warning.",
    stopped: "Payments that match it get a warning.",
  },
  off: { account: "", stopped: "Payments are not compared with it: a policy of yours says so." },
};

function CallCard({ caller }: { caller: NonNullable<InvoiceView["caller"]> }) {
  return (
    <Card title={`Call ${caller.name}`}>
      {caller.phone ? (
        <>
          <p className="flex items-center gap-2 text-lg">
            <Icon name="phone" className="text-accent-text" />
            <a href={`tel:${caller.phone.replace(/[^\d+]/g, "")}`} className="figures">
              {caller.phone}
            </a>
          </p>
          <p className="mt-2 text-base text-ink-soft">On file since {caller.since}.</p>
          {caller.isNew && (
            <p className="mt-2 font-medium text-base text-review">
              That is less than 30 days ago. Use a number from an older record, not this one.
            </p>
          )}
        </>
      ) : (
        <p className="text-base">
          No number is on file. Use one from a contract or an earlier statement, never one from this invoice or its
          email.
        </p>
      )}
      <p className="mt-3 border-line border-t pt-3 text-base">
        <span className="font-medium">Ask:</span> “Did you send us this invoice? Did you change your bank account?” Do
        not read the account out; let them say it.
      </p>
    </Card>
  );
}

function NewDetailsCard({ invoice, answer }: InvoicePageProps) {
  const isKnown = invoice.payee !== null;
  return (
    <Card title={isKnown ? "If the payee has changed its account" : "Add the payee"} className="print:hidden">
      <p className="mb-4 text-base text-ink-soft">
        {isKnown
          ? "Adds the account on the invoice as a separate payee and opens its verification. The payee you have keeps its account, and that is the one that is paid."
          : "Adds a payee with what was read, and opens its verification."}
      </p>
      <SubscriptionFirst answer={answer} />
      <PostForm intent="verify" answer={answer} summary={false}>
        <HiddenFields values={{ submissionId: invoice.submissionId }} />
        <SubmitButton variant="secondary" pendingText="Opening...">
          {isKnown ? "Verify the new details" : "Add and verify"}
        </SubmitButton>
      </PostForm>
    </Card>
  );
}

/** Where everything is in order, nobody has to decide, and the form is folded. */
function DecisionCard({ invoice, answer }: InvoicePageProps) {
  const isFolded = invoice.tone === "verified";
  const form = <DecisionForm invoice={invoice} answer={answer} />;
  return (
    <Card title={isFolded ? undefined : "What to do with it"} id="decide" className="scroll-mt-24 print:hidden">
      {isFolded ? (
        <div className="-my-4 *:border-b-0">
          <Disclosure summary="Stop or accept it" headingLevel={2} open={answerTo(answer, "decide") !== undefined}>
            <div className="text-ink">{form}</div>
          </Disclosure>
        </div>
      ) : (
        form
      )}
    </Card>
  );
}

function DecisionForm({ invoice, answer }: InvoicePageProps) {
  const { isStopped, mismatch, namesNewWay, needsAnother } = invoice;
  const needsReason = invoice.needsReason && !needsAnother;
  const { search } = useLocation();
  const refused = answerTo(answer, "decide");
  const isAtField = Object.keys(refused?.errors ?? {}).length > 0;
  useErrorTitle(isAtField);
  useEffect(() => {
    if (isAtField && refused) document.querySelector<HTMLElement>("#decide [aria-invalid]")?.focus();
  }, [isAtField, refused]);
  return (
    <>
      <RefusedAct answer={isAtField ? undefined : refused} />
      <PostForm
        intent="decide"
        // Without scripts the page comes back at this form, where the refusal is.
        action={`${search}#decide`}
        answer={answer}
        summary={false}
        values={{ decision: isStopped ? "reject" : "" }}
        limits={{ reason: { maxLength: MAX_REASON_LENGTH } }}
        className="grid gap-5"
      >
        <HiddenFields values={{ submissionId: invoice.submissionId, version: String(invoice.version) }} />
        <RadioGroup
          name="decision"
          label="Decision"
          required
          options={[
            { value: "reject", label: "Stop it", hint: MISMATCH[mismatch].stopped },
            {
              value: "accept",
              label: "Accept it",
              hint: [
                needsReason ? "Needs a reason." : "It is in order.",
                "No account is changed.",
                ...(namesNewWay
                  ? ["The new ways to pay on it that say who is paid count as this payee’s from then on."]
                  : []),
              ].join(" "),
            },
          ].slice(0, needsAnother ? 1 : 2)}
        />
        {needsAnother && <p className="text-base">{NEEDS_ANOTHER}</p>}
        <Textarea
          name="reason"
          label={needsReason ? "Who you called, and what was said" : "Reason"}
          hint={needsReason ? "Needed to accept it" : undefined}
          showOptional={!needsReason}
          rows={3}
        />
        <div>
          <SubmitButton variant={invoice.payHref ? "secondary" : "primary"} pendingText="Saving...">
            Save the decision
          </SubmitButton>
        </div>
      </PostForm>
    </>
  );
}

function Foot({ invoice }: { invoice: InvoiceView }) {
  const { canDelete, isDecidable, isStopped, submissionId, originalHref, compared, replayHref } = invoice;
  return (
    <>
      {invoice.documentRemovedOn && (
        <p className="mt-6 text-ink-soft text-sm">
          Its document was removed on {invoice.documentRemovedOn}, after the time for which your organisation keeps
          documents.
        </p>
      )}
      <div data-screen-only className="mt-6 flex flex-wrap items-center gap-3">
        {originalHref && compared.length === 0 && (
          <a href={originalHref} className={buttonClass("secondary", "sm")}>
            Download the document
          </a>
        )}
        {replayHref && (
          <Button to={replayHref} variant="secondary" size="sm">
            Run the decision again
          </Button>
        )}
        {canDelete && (
          <PostForm intent="delete" summary={false}>
            <HiddenFields values={{ submissionId }} />
            <SubmitButton variant="quiet" size="sm" pendingText="Deleting...">
              Delete this invoice
            </SubmitButton>
          </PostForm>
        )}
      </div>
      {isDecidable && isStopped && <DecisionBar cents={invoice.totalCents} />}
    </>
  );
}
