import { onDemand } from "~/components/on-demand";
import { Badge } from "~/components/ui/badge";
import { Card } from "~/components/ui/card";
import { Disclosure } from "~/components/ui/disclosure";
import { Time } from "~/components/ui/time";
import type { FormAnswer } from "~/kernel/form-answer";
import type { CallBackView, ShownCall, ShownPhone } from "~/modules/verifying/call-backs/call-back.view";
import * as onServer from "./on-demand.server";

const CallForm = onDemand(onServer.CallForm, () => import("./call-form").then(({ CallForm }) => CallForm));

interface CallBackCardProps {
  view: CallBackView;
  /** Nobody has decided yet, and this person may write. */
  canRecord: boolean;
  submissionId: string;
  answer?: FormAnswer;
}

/** Calls to the payee about these details, the numbers it has had, and a form for the next call. */
export function CallBackCard({ view, canRecord, submissionId, answer }: CallBackCardProps) {
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

function CallItem({ call }: { call: ShownCall }) {
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

function PhoneList({ phones }: { phones: readonly ShownPhone[] }) {
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
