import { Callout } from "~/components/ui/callout";
import { Link } from "~/components/ui/link";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import type { ActedView } from "~/modules/payees/payee-list.view";

/** What became of ticked payees where some stayed as they were: each of those with the reason. */
export function ActedPayees({ answer }: { answer?: FormAnswer }) {
  const acted = answer?.extra?.acted as ActedView | undefined;
  if (!acted) return null;
  return (
    <Callout tone="warning" role="status" title={acted.title} className="mb-6">
      <ul className="grid gap-1">
        {acted.kept.map(({ payeeId, name, sentence }) => (
          <li key={payeeId}>
            <Link to={appPaths.payee(payeeId)} className="font-medium underline underline-offset-2">
              {name}
            </Link>
            : {sentence}
          </li>
        ))}
      </ul>
    </Callout>
  );
}
