import { Sheet } from "~/components/marketing/figures/sheet";

const REQUEST = `POST /api/payments

{ "payeeId": "0198c1f0-…",
  "amount": 845000,
  "reference": "INV-2207" }`;

const ANSWER = `201 Created

{ "decision": "held",
  "reasons": [
    { "rule": "details_changed",
      "level": "hold" } ] }`;

export function CallFigure() {
  return (
    <Sheet caption="Recording a payment through the API" flush>
      <div className="grid sm:grid-cols-2 sm:divide-x sm:divide-line">
        <Text>{REQUEST}</Text>
        <Text>{ANSWER}</Text>
      </div>
    </Sheet>
  );
}

function Text({ children }: { children: string }) {
  return (
    <pre className="figures overflow-x-auto p-5 font-sans text-sm max-sm:not-first:border-line max-sm:not-first:border-t">
      <code className="font-sans">{children}</code>
    </pre>
  );
}
