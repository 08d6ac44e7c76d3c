import { useActionData, useLoaderData } from "@remix-run/react";
import { approvalIn, PasskeyApproval } from "~/components/accounts/identity/passkey-approval";
import { AdminsOnly, SettingsPage } from "~/components/accounts/settings/settings-page";
import { Checkbox, MoneyInput, Select, TextInput } from "~/components/forms/fields";
import { Form, type FormAnswer, HiddenFields, keepWhatWasTyped, PostForm, SubmitButton } from "~/components/forms/form";
import { RefusedAct } from "~/components/forms/refused-act";
import { Callout } from "~/components/ui/elements";
import { Card, DefinitionList, named } from "~/components/ui/page-parts";
import { formAction, page, pageAdmin, pageMember, parseForm } from "~/http/page.server";
import { formatDateTime } from "~/kernel/dates";
import { appPaths } from "~/kernel/paths/app";
import { signedFieldsOf } from "~/modules/accounts/identity/signed-approval.server";
import { INVOICE_LEVEL_LABELS, LEVEL_LABELS, type PolicyView } from "~/modules/accounts/organizations/policy";
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
import { readPoliciesPage } from "~/modules/payments/payment-facts/decided-facts.server";
import { POLICY_FIELDS, type PolicyName, TIME_ZONES } from "~/modules/rules/policy-fields";
import type { Actor, Services } from "~/services-and-actor";

interface PoliciesFormProps {
  view: PolicyView;
  /** What each rule would have found recently, by rule id. */
  impacts: Readonly<Record<string, string>>;
  /** The number of payments that this is based on. */
  looksBack: { count: number; isPartial: boolean };
  /** Read-only people see the same page without buttons. */
  readOnly: boolean;
  answer?: FormAnswer;
}

function describeLook({ count, isPartial }: PoliciesFormProps["looksBack"]): string {
  if (count === 0) return "No payment was checked in the last 90 days.";
  const payments = `${count.toLocaleString("en-AU")} payment${count === 1 ? "" : "s"}`;
  return isPartial
    ? `Under each rule is what it finds in the newest ${payments} of the last 90 days.`
    : `Under each rule is what it finds in the ${payments} of the last 90 days.`;
}

/** All of an organisation's policies in one form. */
function PoliciesForm({ view, impacts, looksBack, readOnly, answer }: PoliciesFormProps) {
  const approval = approvalIn(answer);
  return (
    <PostForm answer={answer} values={view.values} disabled={readOnly}>
      <HiddenFields values={{ version: view.version }} />
      <div data-printed className="grid gap-6">
        <ApprovalPolicies />
        <SignedPolicies />
        <Card
          title="Questions to banks"
          description="Confirmation of Payee: the payee's own bank says whether a name belongs to an account."
        >
          <div className="grid gap-5 sm:grid-cols-2">
            <PolicyInput name="askBanks" />
            <PolicyInput name="bankBudgetCents" />
            <PolicyInput name="confirmAgainMonths" />
          </div>
        </Card>
        <RulePolicies rules={view.rules} impacts={impacts} looksBack={looksBack} />
        <InvoiceRulePolicies invoiceRules={view.invoiceRules} />
        <PromotionPolicies />
        <Card
          title="Weaker policies wait"
          description="A change that makes fraud easier, whether to these policies, to approval limits or to who joins without approval, takes effect only after this time. Every other administrator is told. Any of them can cancel it, and a second one can put it into effect at once."
        >
          <PolicyInput name="weakeningDelayHours" className="max-w-sm" />
        </Card>
        <Card title="Dates">
          <PolicyInput name="timeZone" className="max-w-sm" />
        </Card>
        {approval && <PasskeyApproval approval={approval} />}
        {!readOnly && !approval && (
          <div>
            <SubmitButton pendingText="Saving...">Save policies</SubmitButton>
          </div>
        )}
      </div>
    </PostForm>
  );
}

const ZONES = TIME_ZONES.map((zone) => ({ value: zone, label: zone.replace("_", " ") }));

/** The control for one policy, by its kind. */
function PolicyInput({ name, className }: { name: PolicyName; className?: string }) {
  const field = POLICY_FIELDS[name];
  const frame = { name, label: field.label, hint: "hint" in field ? field.hint : undefined, className };
  if (field.kind === "flag") return <Checkbox {...frame} />;
  if (field.kind === "cents") return <MoneyInput {...frame} required />;
  if (field.kind === "whole") return <TextInput {...frame} required inputMode="numeric" digits />;
  const options =
    field.kind === "zone" ? ZONES : Object.entries(field.options).map(([value, label]) => ({ value, label }));
  return <Select {...frame} required options={options} />;
}

function ApprovalPolicies() {
  return (
    <Card title="Approvals and sign-in">
      <div className="grid gap-4">
        <PolicyInput name="secondPersonRequired" />
        <PolicyInput name="autoApproveExact" />
        <PolicyInput name="acceptVouching" />
        <PolicyInput name="twoStepRequired" />
        <PolicyInput name="passkeysRequired" />
        <div className="grid gap-5 sm:grid-cols-2">
          <PolicyInput name="passkeyGraceDays" />
          <PolicyInput name="idleMinutes" />
        </div>
        <PolicyInput name="stepUpRequired" />
        <PolicyInput name="stepUpMinutes" className="max-w-sm" />
        <PolicyInput name="approvalEvidence" className="max-w-xl" />
      </div>
    </Card>
  );
}

function SignedPolicies() {
  return (
    <Card
      title="Approvals signed with a passkey"
      description="The approver's passkey signs what the page shows, at the moment of the decision. If anything changed in the meantime, the approval is refused. The evidence proves whose key signed what. A new passkey signs 24 hours after it was added, unless an older one was used to add it."
    >
      <div className="grid gap-4">
        <PolicyInput name="passkeyForApprovals" />
        <PolicyInput name="passkeyAboveCents" className="max-w-sm" />
        <PolicyInput name="passkeyForFiles" />
        <PolicyInput name="passkeyForPolicies" />
        <PolicyInput name="passkeyForPeople" />
      </div>
    </Card>
  );
}

type RulesProps = Pick<PoliciesFormProps, "impacts" | "looksBack"> & Pick<PolicyView, "rules">;

function RulePolicies({ rules, impacts, looksBack }: RulesProps) {
  return (
    <Card
      title="Payment rules"
      description={`What each rule does when it finds something in a payment. ${describeLook(looksBack)}`}
    >
      <div className="grid gap-5 sm:grid-cols-2">
        {rules.map((rule) => (
          <Select
            key={rule.id}
            name={`ruleLevels.${rule.id}`}
            label={rule.label}
            hint={`Default: ${LEVEL_LABELS[rule.defaultLevel].toLowerCase()}. ${impacts[rule.id] ?? ""}`.trim()}
            required
            options={Object.entries(LEVEL_LABELS).map(([value, label]) => ({ value, label }))}
          />
        ))}
        <PolicyInput name="firstPaymentLimitCents" />
        <PolicyInput name="reverifyAfterMonths" />
      </div>
    </Card>
  );
}

/** The levels of the invoice rules. */
function InvoiceRulePolicies({ invoiceRules }: Pick<PolicyView, "invoiceRules">) {
  return (
    <Card
      title="Invoice rules"
      description="What each rule does when it finds something on an invoice. A stopped invoice alerts your organisation and holds payments that match it. What was found is always shown."
    >
      <div className="grid gap-5 sm:grid-cols-2">
        {invoiceRules.map((rule) => (
          <Select
            key={rule.id}
            name={`ruleLevels.${rule.id}`}
            label={rule.label}
            hint={`Default: ${INVOICE_LEVEL_LABELS[rule.defaultLevel].toLowerCase()}.`}
            required
            options={Object.entries(INVOICE_LEVEL_LABELS).map(([value, label]) => ({ value, label }))}
          />
        ))}
      </div>
    </Card>
  );
}

function PromotionPolicies() {
  return (
    <Card
      title="Promotion to the whitelist"
      description="A payee with three or more successful payments since its details last changed is whitelisted automatically. We recommend a minimum time and a minimum amount. If you require a second person, a payment does not count when the person who recorded it also reported its success."
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <PolicyInput name="promotionMinSpanDays" />
        <PolicyInput name="promotionMinDistinctDays" />
        <PolicyInput name="promotionMinCents" />
      </div>
    </Card>
  );
}

/** What the organisation has changed, before the form with everything. */
function Different({ different }: Pick<PolicyView, "different">) {
  if (different.length === 0) return <p className="text-base">Every policy is at its default.</p>;
  return (
    <Card title="Different from the default" description="Everything else is as an organisation begins.">
      <DefinitionList
        items={different.map(({ id, label, now, initial }) => ({
          term: label,
          value: (
            <>
              <a href={`#${id}`} className="font-medium text-accent-text underline underline-offset-2">
                {now}
              </a>{" "}
              <span className="text-ink-soft">Default: {initial}</span>
            </>
          ),
        }))}
      />
    </Card>
  );
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
      title="Weaker policies that wait"
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
    const waits = `The weaker policy waits until ${formatDateTime(waitsUntil, actor.timeZone)}`;
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

/** A lost connection is reported in the form; what was typed stays. */
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
      <Different {...view} />
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
