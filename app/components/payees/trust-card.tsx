import { Textarea } from "~/components/forms/fields";
import { Form } from "~/components/forms/form";
import { HiddenFields, SubmitButton } from "~/components/forms/post-form";
import { Badge } from "~/components/ui/badge";
import { Card } from "~/components/ui/card";
import { Disclosure } from "~/components/ui/disclosure";
import { answerTo, type FormAnswer } from "~/kernel/form-answer";
import { REASON_LENGTH } from "~/kernel/payee";
import type { PayeeView } from "~/modules/payees/payee.view";

interface TrustCardProps {
  payee: PayeeView;
  canWrite: boolean;
  answer?: FormAnswer;
}

/** Whether the payee is on the whitelist, why, and the way on or off it by hand, always with a reason. */
export function TrustCard({ payee, canWrite, answer }: TrustCardProps) {
  const { trust } = payee;
  const isOn = trust.whitelisted;
  const refused = { on: answerTo(answer, "whitelist"), off: answerTo(answer, "unwhitelist") };
  return (
    <Card title="Whitelist">
      {isOn ? (
        <Trust trust={trust} grade={payee.grade} />
      ) : (
        <p className="text-base text-ink-soft">
          {trust.former &&
            `It was trusted with ${trust.former}, until that was changed. Rejecting the change can restore it. `}
          Not on the whitelist. Approving its verification puts it there
          {payee.draftSince ? "; payments do not, because it is a draft." : ", and so do three successful payments."}
        </p>
      )}
      {canWrite && (
        <div data-screen-only className="-mb-3 mt-1 [&>details]:border-b-0">
          {isOn ? (
            <Disclosure summary="Take off the whitelist" open={refused.off !== undefined} headingLevel={3}>
              <TrustForm intent="unwhitelist" {...OFF} version={payee.version} answer={refused.off} />
            </Disclosure>
          ) : (
            <Disclosure summary="Whitelist by hand" open={refused.on !== undefined} headingLevel={3}>
              <TrustForm intent="whitelist" {...ON} version={payee.version} answer={refused.on} />
            </Disclosure>
          )}
          {!isOn && trust.former && (
            <Disclosure summary="Forget the former details" open={refused.off !== undefined} headingLevel={3}>
              <TrustForm intent="unwhitelist" {...FORGET} version={payee.version} answer={refused.off} />
            </Disclosure>
          )}
        </div>
      )}
    </Card>
  );
}

/** How the payee was verified; who put it on the whitelist, why and when. */
function Trust({ trust, grade }: Pick<PayeeView, "trust" | "grade">) {
  return (
    <div className="text-base">
      <p className="flex flex-wrap gap-2">
        <Badge tone="verified" icon="shieldCheck">
          On your whitelist
        </Badge>
        {trust.global && (
          <Badge tone="info" icon="users">
            Vouched for globally
          </Badge>
        )}
      </p>
      {grade && <p className="mt-3 font-medium">{grade}</p>}
      {trust.reason && <blockquote className="mt-3 border-line border-l-2 pl-3">{trust.reason}</blockquote>}
      <p className="mt-2 text-ink-soft text-sm">
        {[trust.by ?? "PayeeProof", trust.at?.exact].filter(Boolean).join(", ")}
      </p>
    </div>
  );
}

const ON = {
  hint: "How do you know that these details are right?",
  variant: "primary",
  button: "Add to the whitelist",
} as const;
const OFF = { hint: "Kept in the audit trail.", variant: "danger", button: "Take off the whitelist" } as const;
const FORGET = {
  hint: "Why the payee is not to be trusted with them again. Kept in the audit trail.",
  variant: "danger",
  button: "Forget the former details",
} as const;

interface TrustFormProps {
  intent: "whitelist" | "unwhitelist";
  hint: string;
  variant: "primary" | "danger";
  button: string;
  version: number;
  answer?: FormAnswer;
}

function TrustForm({ intent, hint, variant, button, version, answer }: TrustFormProps) {
  return (
    <Form method="post" noValidate className="grid gap-4 text-ink">
      <HiddenFields values={{ version: version }} />
      <Textarea
        id={`${intent}-reason`}
        name="reason"
        label="Reason"
        hint={hint}
        required
        rows={2}
        maxLength={REASON_LENGTH.max}
        defaultValue={answer?.values.reason}
        error={answer?.errors.reason}
      />
      <div>
        <SubmitButton name="intent" value={intent} variant={variant} pendingText="Saving...">
          {button}
        </SubmitButton>
      </div>
    </Form>
  );
}
