import { Textarea } from "~/components/forms/fields";
import { answerTo, type FormAnswer, HiddenFields, PostForm, SubmitButton } from "~/components/forms/form";
import { Disclosure } from "~/components/ui/disclosure";
import { Badge } from "~/components/ui/elements";
import { Card } from "~/components/ui/page-parts";
import { REASON_LENGTH } from "~/kernel/payee";
import type { PayeeView } from "~/modules/payees/payee-page.server";

/** Whether the payee is on the whitelist, why, and forms for adding or removing it manually with a reason. */
export function TrustCard({ payee, canWrite, answer }: { payee: PayeeView; canWrite: boolean; answer?: FormAnswer }) {
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
          Not on the whitelist. {waysOn(payee)}
        </p>
      )}
      {canWrite && (
        <div data-screen-only className="-mb-3 mt-1 [&>details]:border-b-0">
          {isOn ? (
            <Disclosure summary="Take off the whitelist" open={refused.off !== undefined} headingLevel={3}>
              <TrustForm intent="unwhitelist" {...OFF} version={payee.version} answer={refused.off} />
            </Disclosure>
          ) : (
            (!payee.isArchived || refused.on) && (
              <Disclosure summary="Whitelist by hand" open={refused.on !== undefined} headingLevel={3}>
                <TrustForm intent="whitelist" {...ON} version={payee.version} answer={refused.on} />
              </Disclosure>
            )
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

function waysOn({ isArchived, draftSince }: PayeeView): string {
  if (isArchived) return "It is archived: restore it before you trust it.";
  const payments = draftSince
    ? "; successful payments do not, because it is a draft."
    : ", and so do three successful payments.";
  return `Approving its verification adds it${payments}`;
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
  hint: "Why the payee should not be trusted with them again. Kept in the audit trail.",
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
    <PostForm intent={intent} idPrefix={intent} answer={answer} summary={false} className="grid gap-4 text-ink">
      <HiddenFields values={{ version }} />
      <Textarea name="reason" label="Reason" hint={hint} required rows={2} maxLength={REASON_LENGTH.max} />
      <div>
        <SubmitButton variant={variant} pendingText="Saving...">
          {button}
        </SubmitButton>
      </div>
    </PostForm>
  );
}
