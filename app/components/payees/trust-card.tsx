import { Form } from "~/components/forms/form";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { SubmitButton } from "~/components/forms/submit-button";
import { Textarea } from "~/components/forms/textarea";
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
  const refused = answerTo(answer, isOn ? "unwhitelist" : "whitelist");
  return (
    <Card title="Whitelist">
      {isOn ? (
        <Trust trust={trust} grade={payee.grade} />
      ) : (
        <p className="text-base text-ink-soft">
          Not on the whitelist. Approving its verification puts it there
          {payee.draftSince ? "; payments do not, because it is a draft." : ", and so do three successful payments."}
        </p>
      )}
      {canWrite && (
        <div data-screen-only className="-mb-3 mt-1 [&>details]:border-b-0">
          <Disclosure
            summary={isOn ? "Take off the whitelist" : "Whitelist by hand"}
            open={refused !== undefined}
            headingLevel={3}
          >
            <TrustForm isOn={isOn} version={payee.version} answer={refused} />
          </Disclosure>
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

function TrustForm({ isOn, version, answer }: { isOn: boolean; version: number; answer?: FormAnswer }) {
  return (
    <Form method="post" noValidate className="grid gap-4 text-ink">
      <HiddenFields values={{ version: version }} />
      <Textarea
        name="reason"
        label="Reason"
        hint={isOn ? "Kept in the audit trail." : "How do you know that these details are right?"}
        required
        rows={2}
        maxLength={REASON_LENGTH.max}
        defaultValue={answer?.values.reason}
        error={answer?.errors.reason}
      />
      <div>
        <SubmitButton
          name="intent"
          value={isOn ? "unwhitelist" : "whitelist"}
          variant={isOn ? "danger" : "primary"}
          pendingText="Saving..."
        >
          {isOn ? "Take off the whitelist" : "Add to the whitelist"}
        </SubmitButton>
      </div>
    </Form>
  );
}
