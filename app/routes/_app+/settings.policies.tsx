import { useActionData, useLoaderData } from "@remix-run/react";
import { approvalIn, PasskeyApproval } from "~/components/accounts/identity/passkey-approval";
import { Different } from "~/components/accounts/settings/different";
import { AdminsOnly, SettingsPage } from "~/components/accounts/settings/settings-page";
import { Checkbox, MoneyInput, Select, TextInput } from "~/components/forms/fields";
import { Form, type FormAnswer, HiddenFields, keepWhatWasTyped, PostForm, SubmitButton } from "~/components/forms/form";
import { RefusedAct } from "~/components/forms/refused-act";
import { Fold } from "~/components/ui/disclosure";
import { Badge, Callout } from "~/components/ui/elements";
import { Card, named } from "~/components/ui/page-parts";
import { formAction, page, pageAdmin, pageMember, parseForm } from "~/http/page.server";
import { formatDateTime } from "~/kernel/dates";
import { appPaths } from "~/kernel/paths/app";
import { formatCount } from "~/kernel/text";
import { signedFieldsOf } from "~/modules/accounts/identity/signed-approval.server";
import {
  INVOICE_LEVEL_LABELS,
  LEVEL_LABELS,
  type PolicyView,
  type RuleSubject,
} from "~/modules/accounts/organizations/policy";
import {
  changePolicy,
  findPolicyState,
  policyFormSchema,
  waitingFormSchema,
} from "~/modules/accounts/organizations/policy.server";
import {
  cancelChange,
  confirmChange,
  type WaitingChange,
} from "~/modules/accounts/organizations/policy-changes.server";
import { readPoliciesPage } from "~/modules/payments/policies-page.server";
import type { PolicyRuleLevel } from "~/modules/rules/payment-holds";
import { POLICY_FIELDS, type PolicyField, type PolicyName, TIME_ZONES } from "~/modules/rules/policy-fields";
import type { Actor, Services } from "~/services-and-actor";

interface Group {
  title: string;
  says?: string;
  /** The rest of what it says, shown in the group. */
  more?: string;
  fields?: readonly PolicyName[];
  rules?: RuleSubject;
}

interface Section {
  title: string;
  description: string;
  /** The words of its rules' levels. */
  levels?: Readonly<Record<PolicyRuleLevel, string>>;
  groups: readonly Group[];
}

/** Everything that the form holds, in its order. */
const SECTIONS: readonly Section[] = [
  {
    title: "Approvals and sign-in",
    description: "Who approves, and how people prove who they are.",
    groups: [
      {
        title: "Approvals",
        says: "Who decides about a payee, and what a decision needs",
        fields: ["secondPersonRequired", "approvalEvidence", "autoApproveExact", "acceptVouching"],
      },
      {
        title: "Signing in",
        says: "Two-step sign-in, passkeys, and how long a session lasts",
        fields: [
          ...(["twoStepRequired", "idleMinutes", "passkeysRequired"] as const),
          ...(["passkeyGraceDays", "stepUpRequired", "stepUpMinutes"] as const),
        ],
      },
      {
        title: "Approvals signed with a passkey",
        says: "The approver's passkey signs what the page shows, at the moment of the decision",
        more: "If anything changed in the meantime, the approval is refused. The evidence proves whose key signed what. A new passkey can sign 24 hours after it was added, unless an older one was used to add it.",
        fields: [
          ...(["passkeyForApprovals", "passkeyAboveCents", "passkeyForFiles"] as const),
          ...(["passkeyForPolicies", "passkeyForPeople"] as const),
        ],
      },
    ],
  },
  {
    title: "Payees",
    description: "What banks are asked, and what makes a payee trusted.",
    groups: [
      {
        title: "Questions to banks",
        says: "Confirmation of Payee: the payee's own bank says whether a name belongs to an account",
        fields: ["askBanks", "bankBudgetCents", "confirmAgainMonths"],
      },
      {
        title: "Promotion to the whitelist",
        says: "A payee with three successful payments since its details last changed is whitelisted automatically",
        more: "We recommend a minimum time and a minimum amount. If you require a second person, a payment does not count when the person who recorded it also reported its success.",
        fields: ["promotionMinSpanDays", "promotionMinDistinctDays", "promotionMinCents"],
      },
    ],
  },
  {
    title: "Payment rules",
    description: "What each rule does when it finds something in a payment.",
    levels: LEVEL_LABELS,
    groups: [
      { title: "The payee", fields: ["reverifyAfterMonths"], rules: "payee" },
      { title: "The account", rules: "account" },
      { title: "Changed details", rules: "changes" },
      { title: "Amounts and hours", fields: ["firstPaymentLimitCents"], rules: "amount" },
      { title: "Invoices and bills", rules: "bills" },
    ],
  },
  {
    title: "Invoice rules",
    description:
      "What each rule does when it finds something on an invoice. A stopped invoice alerts your organisation and holds payments that match it. What was found is always shown.",
    levels: INVOICE_LEVEL_LABELS,
    groups: [
      { title: "The account on the invoice", rules: "verdict" },
      { title: "The document", rules: "document" },
      { title: "The supplier's business", rules: "business" },
      { title: "The sender of the email", rules: "sender" },
    ],
  },
  {
    title: "Changes and dates",
    description: "How long a weaker policy waits, and by which clock days are counted.",
    groups: [
      {
        title: "Weaker policies wait",
        says: "A change that makes fraud easier takes effect only after this time",
        more: "This applies to these policies, to approval limits and to who joins without approval. Every other administrator is told. Any of them can cancel the change, and a second one can put it into effect at once.",
        fields: ["weakeningDelayHours"],
      },
      { title: "Time zone", says: "The days and times on every page", fields: ["timeZone"] },
    ],
  },
];

interface PoliciesFormProps {
  view: PolicyView;
  /** What each rule would have found recently, by rule id. */
  impacts: Awaited<ReturnType<typeof readPoliciesPage>>["impacts"];
  /** The number of payments that this is based on. */
  looksBack: { count: number; isPartial: boolean };
  /** Read-only people see the same page without buttons. */
  readOnly: boolean;
  answer?: FormAnswer;
}

function describeLook({ count, isPartial }: PoliciesFormProps["looksBack"]): string {
  if (count === 0) return "No payment was checked in the last 90 days.";
  return `Rules that found something in the ${isPartial ? "newest " : ""}${formatCount(count, "payment")} of the last 90 days say so.`;
}

/** All of an organisation's policies in one form. */
function PoliciesForm({ readOnly, looksBack, ...page }: PoliciesFormProps) {
  const { view, answer } = page;
  const approval = approvalIn(answer);
  return (
    <PostForm answer={answer} values={view.values} disabled={readOnly}>
      <HiddenFields values={{ version: view.version }} />
      <div data-printed className="grid gap-6">
        {SECTIONS.map(({ title, description, levels, groups }, at) => (
          <Card
            key={title}
            flush
            title={title}
            description={levels === LEVEL_LABELS ? `${description} ${describeLook(looksBack)}` : description}
          >
            {groups.map((group, place) => (
              <PolicyGroup key={group.title} {...page} group={group} levels={levels} isFirst={at + place === 0} />
            ))}
          </Card>
        ))}
        {approval && <PasskeyApproval approval={approval} />}
        {!readOnly && !approval && (
          <div className="save-bar">
            <SubmitButton pendingText="Saving...">Save policies</SubmitButton>
          </div>
        )}
      </div>
    </PostForm>
  );
}

type PolicyGroupProps = Pick<PoliciesFormProps, "view" | "impacts" | "answer"> &
  Pick<Section, "levels"> & { group: Group; isFirst: boolean };

/** One group, open where something differs from the default or is wrong: links above lead to its fields. */
function PolicyGroup({ group, levels, view, impacts, answer, isFirst }: PolicyGroupProps) {
  const { title, says, more, fields = [] } = group;
  const rules = group.rules ? view.rules[group.rules] : [];
  const names = new Set<string>([...fields, ...rules.map(({ id }) => nameOf(id))]);
  const different = view.different.filter(({ id }) => names.has(id));
  const isWrong = Object.keys(answer?.errors ?? {}).some((name) => names.has(name));
  return (
    <Fold
      title={title}
      says={says ?? (levels && countLevels(rules, levels, view.values))}
      badge={
        different.length > 0 && (
          <Badge tone="info">{different.length === 1 ? "1 differs" : `${different.length} differ`}</Badge>
        )
      }
      open={isFirst || isWrong || different.length > 0}
    >
      {more && <p className="mb-5 max-w-[65ch] text-base text-ink-soft">{more}</p>}
      <div className="grid items-start gap-x-10 gap-y-5 @[52rem]/main:grid-cols-2">
        {fields.map((name) => (
          <PolicyInput key={name} name={name} />
        ))}
        {levels &&
          rules.map(({ id, label }) => {
            const initial = different.find((one) => one.id === nameOf(id))?.initial;
            const [found, atLevels] = impacts[id] ?? [];
            return (
              <Select
                key={id}
                name={nameOf(id)}
                label={label}
                hint={[initial && `Default: ${initial}.`, found].filter(Boolean).join(" ")}
                more={atLevels}
                required
                className="field-row"
                options={Object.entries(levels).map(([value, label]) => ({ value, label }))}
              />
            );
          })}
      </div>
    </Fold>
  );
}

/** The name of a rule's field. */
const nameOf = (ruleId: string) => `ruleLevels.${ruleId}`;

/** "Hold the payment: 5, Warn only: 2", as saved. */
const countLevels = (
  rules: readonly { id: string }[],
  levels: Readonly<Record<string, string>>,
  values: PolicyView["values"],
) =>
  Object.entries(levels)
    .map(([level, label]) => ({ label, count: rules.filter(({ id }) => values[nameOf(id)] === level).length }))
    .flatMap(({ label, count }) => (count > 0 ? [`${label}: ${count}`] : []))
    .join(", ");

const ZONES = TIME_ZONES.map((zone) => ({ value: zone, label: zone.replace("_", " ") }));

/** The control for one policy, by its kind. */
function PolicyInput({ name }: { name: PolicyName }) {
  const field: PolicyField = POLICY_FIELDS[name];
  const { label, hint, more } = field;
  const frame = { name, label, hint, more };
  if (field.kind === "flag") return <Checkbox {...frame} />;
  if (field.kind === "cents") return <MoneyInput {...frame} required size={12} />;
  if (field.kind === "whole")
    return <TextInput {...frame} required inputMode="numeric" digits size={4} unit={field.unit} />;
  const options =
    field.kind === "zone" ? ZONES : Object.entries(field.options).map(([value, label]) => ({ value, label }));
  return <Select {...frame} required options={options} />;
}

/** Delayed weaker policies, with an administrator's actions on each. */
function WaitingChanges({
  changes,
  canAct,
  answer,
}: {
  changes: readonly WaitingChange[];
  canAct: boolean;
  answer?: FormAnswer;
}) {
  const approval = approvalIn(answer);
  const confirming = approval && { approval, id: answer?.values.id };
  if (changes.length === 0) return null;
  return (
    <Card
      title="Weaker policies that are waiting"
      description="Any administrator can cancel a change until it takes effect. A second administrator can put it into effect at once."
    >
      <ul className="grid gap-4">
        {changes.map(({ id, words, askedBy, askedOn, holdsFrom, isOwn }) => (
          <li key={id} className="grid gap-2 sm:flex sm:items-start sm:justify-between sm:gap-6">
            <p>
              <span className="block font-medium first-letter:uppercase">{words}</span>
              <span className="text-ink-soft text-sm">
                From {holdsFrom}. {askedBy} asked for it on {askedOn}.
              </span>
            </p>
            {canAct && (
              <Form method="post" action={appPaths.policies} className="flex flex-wrap gap-2">
                <HiddenFields values={{ id }} />
                <SubmitButton
                  name="intent"
                  value="cancel-change"
                  variant="secondary"
                  size="sm"
                  pendingText="Cancelling..."
                >
                  Cancel<span className="sr-only">: {words}</span>
                </SubmitButton>
                {confirming?.id === id && (
                  <PasskeyApproval approval={confirming.approval} name="intent" value="confirm-change" />
                )}
                {!isOwn && confirming?.id !== id && (
                  <SubmitButton name="intent" value="confirm-change" variant="quiet" size="sm" pendingText="Saving...">
                    Put into effect now<span className="sr-only">: {words}</span>
                  </SubmitButton>
                )}
              </Form>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

export const { meta, ErrorBoundary } = named("Policies · Settings", "Error Loading Settings");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  return readPoliciesPage(scope.services, actor);
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageAdmin(scope);
  return formAction(scope, async (form) => {
    const title = await act(scope.services, actor, form);
    return { to: appPaths.policies, flash: { tone: "success", title } };
  });
});

/** Saves the form, or decides about one delayed change. @returns the message about the result */
async function act(services: Services, actor: Actor, form: FormData): Promise<string> {
  if (!form.has("intent")) {
    const { isChanged, waitsUntil } = await changePolicy(services, actor, {
      ...parseForm(form, policyFormSchema),
      signed: signedFieldsOf(form),
    });
    if (waitsUntil === null) return isChanged ? "Policies saved" : "Nothing has changed";
    const waits = `The weaker policy has to wait until ${formatDateTime(waitsUntil, actor.timeZone)}`;
    return isChanged ? `Policies saved. ${waits}` : waits;
  }
  const { intent, id } = parseForm(form, waitingFormSchema);
  if (intent === "cancel-change") {
    await cancelChange(services, actor, id);
    return "The change was cancelled";
  }
  const { policy } = await findPolicyState(services, actor.organizationId);
  await confirmChange(services, actor, { id, policy, signed: signedFieldsOf(form) });
  return "The change is in effect";
}

export const clientAction = keepWhatWasTyped;

export default function Policies() {
  const {
    view,
    impacts,
    looksBack,
    waiting,
    canAdminister: isAdmin,
    offersSecondPerson,
  } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  const ofWaiting = answer?.intent ? answer : undefined;
  return (
    <SettingsPage description="What your organisation has decided. Every change is in the audit trail.">
      <RefusedAct answer={ofWaiting} />
      {!isAdmin && <AdminsOnly />}
      <WaitingChanges changes={waiting} canAct={isAdmin} answer={ofWaiting} />
      {isAdmin && offersSecondPerson && (
        <Callout tone="info" title="Your organisation now has more than one member">
          <p>
            Require a second person to approve, so that no one can enter a payee and approve it alone. It is the first
            policy below.
          </p>
        </Callout>
      )}
      <Different different={view.different} none="Every policy is at its default." />
      <PoliciesForm
        key={view.version}
        view={view}
        impacts={impacts}
        looksBack={looksBack}
        readOnly={!isAdmin}
        answer={ofWaiting ? undefined : answer}
      />
    </SettingsPage>
  );
}
