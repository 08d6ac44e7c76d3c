import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { ConfirmFirst } from "~/components/accounts/identity/confirm-first";
import { TextInput } from "~/components/forms/fields";
import {
  Form,
  type FormAnswer,
  FormErrorSummary,
  type FormLimits,
  HiddenFields,
  keepWhatWasTyped,
  PostForm,
  SubmitButton,
} from "~/components/forms/form";
import { RefusedAct, SubscriptionEnded, SubscriptionFirst } from "~/components/forms/refused-act";
import { ListCard } from "~/components/tables/list-card";
import { CellNote, type Column } from "~/components/tables/table";
import { Badge, Button, type IconName, linkClass, type Tone } from "~/components/ui/elements";
import { Card, named, PageHeader, Time } from "~/components/ui/page-parts";
import { type Accepted, formAction, page, pageMember, pageWriter, parseForm } from "~/http/page.server";
import { appPaths } from "~/kernel/paths/app";
import { displayName } from "~/kernel/text";
import { submissionSchema } from "~/modules/core/commands/run-command.server";
import { findMissingConfirmation } from "~/modules/messages/notifications/outside-messages.queries.server";
import { askPayee, cancelRequest, resendRequest } from "~/modules/payees/payee-requests/ask-payee.server";
import {
  REQUEST_FILTER_LABELS,
  type RequestRow,
  requestsHref,
  toRequestRow,
} from "~/modules/payees/payee-requests/payee-request";
import {
  listRequests,
  newRequestSchema,
  readRequestsQuery,
  requestActSchema,
  requestConstraints,
} from "~/modules/payees/payee-requests/payee-request.server";
import { type Actor, canWrite, type Services } from "~/services-and-actor";

const LOOKS: Readonly<Record<RequestRow["state"], { tone: Tone; icon: IconName; word: string }>> = {
  open: { tone: "pending", icon: "mail", word: "Waiting for the payee" },
  answered: { tone: "neutral", icon: "list", word: "Details received" },
  cancelled: { tone: "neutral", icon: "dash", word: "Cancelled" },
  expired: { tone: "pending", icon: "clock", word: "Link expired" },
};

/** Requests for payees' details, with the actions on each. */
const columnsOf = (canChange: boolean, canSend: boolean): Column<RequestRow>[] => [
  {
    head: "Payee",
    width: "wide:w-[34%]",
    cell: (row) => (
      <>
        <span className="font-medium">{row.name}</span>
        <CellNote>
          <span className="break-all">{row.sentTo}</span>
        </CellNote>
        {row.note && <CellNote>{row.note}</CellNote>}
      </>
    ),
  },
  {
    head: "Status",
    cell: ({ state, expiresAt }) => (
      <>
        <Badge tone={LOOKS[state].tone} icon={LOOKS[state].icon}>
          {LOOKS[state].word}
        </Badge>
        {state === "open" && (
          <CellNote>
            Until <Time dateTime={expiresAt.dateTime} exact={expiresAt.exact} />
          </CellNote>
        )}
      </>
    ),
  },
  {
    head: "Sent",
    cell: (row) => (
      <>
        <Time {...row.sentAt} stacked />
        <CellNote>Asked by {row.askedBy}</CellNote>
      </>
    ),
  },
  {
    head: "What to do",
    width: "wide:w-[24%]",
    actions: true,
    cell: (row) => (
      <>
        {row.result && (
          <Link to={row.result.href} className={linkClass}>
            {row.result.label}
          </Link>
        )}
        {canChange && (row.state === "open" || row.state === "expired") && <Acts {...row} canSend={canSend} />}
      </>
    ),
  },
];

function Acts({ id, name, canSend }: Pick<RequestRow, "id" | "name"> & { canSend: boolean }) {
  return (
    <Form method="post" className="flex flex-wrap gap-2">
      <HiddenFields values={{ requestId: id }} />
      {canSend && (
        <Button type="submit" name="intent" value="resend" variant="secondary" size="sm">
          Send again<span className="sr-only"> to {name}</span>
        </Button>
      )}
      <Button type="submit" name="intent" value="cancel" variant="quiet" size="sm">
        Cancel<span className="sr-only"> the request to {name}</span>
      </Button>
    </Form>
  );
}

interface AskCardProps {
  constraints: FormLimits;
  /** Ensures that a form which is sent twice asks once. */
  submissionId: string;
  answer?: FormAnswer;
}

/** Asks a payee for its details by a link. */
function AskCard({ constraints, submissionId, answer }: AskCardProps) {
  return (
    <>
      {answer?.code === "SUBSCRIPTION_REQUIRED" ? (
        <SubscriptionEnded message={answer.formErrors.join(" ")} />
      ) : (
        <FormErrorSummary errors={answer?.errors} formErrors={answer?.formErrors} />
      )}
      <Card
        title="Ask a payee for their details"
        description="The payee gets a link to a safe form, so that no bank details travel by email. What they send is a draft: payments to it are held until a person decides."
        className="mb-6"
      >
        <PostForm answer={answer} limits={constraints} summary={false} className="grid gap-5 sm:grid-cols-2">
          <HiddenFields values={{ submissionId }} />
          <TextInput name="name" label="Payee name" hint="What your organisation calls it" autoComplete="off" />
          <TextInput
            name="note"
            label="What it is about"
            hint="Shown to the payee, such as an order number"
            autoComplete="off"
          />
          <TextInput
            name="email"
            type="email"
            label="Email"
            hint="The link goes here"
            autoComplete="off"
            showOptional={false}
          />
          <TextInput
            name="phone"
            type="tel"
            label="Mobile"
            hint="Without an email address the link goes here as a text message"
            autoComplete="off"
            showOptional={false}
          />
          <div className="sm:col-span-2">
            <SubmitButton name="intent" value="ask" icon="mail" pendingText="Sending...">
              Send the link
            </SubmitButton>
          </div>
        </PostForm>
      </Card>
    </>
  );
}

export const { meta, ErrorBoundary } = named("Requests for bank details", "Error Loading Requests");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const { services, url } = scope;
  const query = readRequestsQuery(url.searchParams);
  const { status } = query;
  const [{ rows, previous, next }, missing] = await Promise.all([
    listRequests(services, actor, query),
    canWrite(actor) ? findMissingConfirmation(services, actor) : null,
  ]);
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  return {
    rows: rows.map(({ request, asker }) => toRequestRow(request, displayName(asker), zone)),
    status,
    canChange: canWrite(actor),
    missing,
    constraints: requestConstraints,
    submissionId: services.ids.next(),
    previousHref: previous && requestsHref({ status, before: previous }),
    nextHref: next && requestsHref({ status, after: next }),
  };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  return formAction(scope, (form) => act(scope.services, actor, form), { title: "Nothing was sent" });
});

export const clientAction = keepWhatWasTyped;

async function act(services: Services, actor: Actor, form: FormData): Promise<Accepted> {
  const to = appPaths.payeeRequests;
  const intent = form.get("intent");
  if (intent !== "resend" && intent !== "cancel") {
    const request = parseForm(form, newRequestSchema);
    const { submissionId: idempotencyKey } = parseForm(form, submissionSchema);
    await askPayee(services, actor, { request, idempotencyKey });
    return { to, flash: { tone: "success", title: "Link sent", description: sentTo(request) } };
  }
  const { requestId } = parseForm(form, requestActSchema);
  if (intent === "resend") {
    await resendRequest(services, actor, requestId);
    return {
      to,
      flash: { tone: "success", title: "A new link was sent", description: "The earlier link no longer works." },
    };
  }
  await cancelRequest(services, actor, requestId);
  return {
    to,
    flash: { tone: "info", title: "Request cancelled", description: "Its link no longer accepts details." },
  };
}

const sentTo = ({ name, email }: { name: string; email: string | null }) =>
  `${name} is asked ${email === null ? "by text message" : "by email"}. You are told when the details arrive.`;

export default function PayeeRequests() {
  const { rows, status, canChange, missing, constraints, submissionId, previousHref, nextHref } =
    useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  const isOfList = answer?.intent === "resend" || answer?.intent === "cancel";
  return (
    <>
      <PageHeader
        title="Requests for bank details"
        description="New suppliers send you their bank details through a form, never by email."
        breadcrumb={[{ label: "Payees", to: appPaths.payees }]}
      />
      {isOfList && <RefusedAct answer={answer} />}
      <ConfirmFirst missing={missing} />
      {canChange && <SubscriptionFirst answer={answer} />}
      {canChange && missing === null && (
        <AskCard constraints={constraints} submissionId={submissionId} answer={isOfList ? undefined : answer} />
      )}
      <ListCard
        label="Requests"
        rows={rows}
        columns={columnsOf(canChange, missing === null)}
        dense
        fixed
        filters={{
          label: "Requests",
          items: (["open", "all"] as const).map((each) => ({
            label: REQUEST_FILTER_LABELS[each],
            to: requestsHref({ status: each }),
            current: each === status,
          })),
        }}
        empty={{
          icon: "mail",
          title: status === "open" ? "No request is waiting for an answer" : "No requests yet",
          children: "Ask a new supplier for their bank details, and the request is listed here.",
        }}
        pager={{ previousHref, nextHref }}
      />
    </>
  );
}
