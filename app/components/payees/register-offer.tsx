import { Button } from "~/components/ui/button";
import type { FormAnswer } from "~/kernel/form-answer";
import type { LookUpView } from "~/modules/directories/register.view";

/**
 * Looks the ABN up, or finds ABNs for the name: a step of the form, so it works without scripts and loses nothing that was
 * typed.
 */
export function RegisterOffer({ answer }: { answer?: FormAnswer }) {
  const offer = answer?.code === "NEXT_STEP" ? (answer.extra?.register as LookUpView | undefined) : undefined;
  return (
    <div className="grid gap-3 sm:col-span-2">
      <div>
        <Button type="submit" name="intent" value="look-up" variant="secondary" size="sm" icon="search" formNoValidate>
          Look up in the business register
        </Button>
      </div>
      <div role="status" className="empty:hidden">
        {offer && <Offered offer={offer} />}
      </div>
    </div>
  );
}

function Offered({ offer }: { offer: LookUpView }) {
  if (offer.kind === "silent") return <p className="text-base text-ink-soft">{offer.sentence}</p>;
  if (offer.kind === "abn") {
    return (
      <p className={offer.isGood ? "text-base" : "text-base text-review"}>
        {offer.sentence}{" "}
        {offer.name && (
          <Button type="submit" name="takeName" value={offer.name} variant="quiet" size="sm" formNoValidate>
            Use this name
          </Button>
        )}
      </p>
    );
  }
  return (
    <ul aria-label="ABNs with a name like this" className="grid gap-2">
      {offer.hits.map(({ abn, shownAbn, name, detail }) => (
        <li key={abn} className="flex flex-wrap items-center gap-x-3 gap-y-1 text-base">
          <Button type="submit" name="takeAbn" value={abn} variant="secondary" size="sm" formNoValidate>
            Use {shownAbn}
          </Button>
          <span>
            {name}
            {detail && <span className="text-ink-soft"> ({detail})</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}
