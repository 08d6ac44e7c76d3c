import { buttonClass } from "~/components/ui/elements";
import { keysOnDemand } from "~/components/ui/keys-on-demand";
import { Amount, Neighbours } from "~/components/ui/page-parts";

const DecisionKeys = keysOnDemand(() =>
  import("~/components/verifying/review-keys").then(({ ReviewKeys }) => ReviewKeys),
);

type Place = { position: string | null; previousHref: string | null; nextHref: string | null };

export interface DecisionPlaceProps {
  /** Its position among those that need a decision, or in the Inbox, whose list then has an address. */
  place: Place & { listHref?: string };
  hasKeys: boolean;
}

interface PlaceProps extends DecisionPlaceProps {
  /** The landmark's name: "Held payments". */
  label: string;
  /** The link to the first, on the page of one that needs no decision: "Next held payment". */
  next: string;
  place: Place & { listHref: string };
}

/** The neighbours of a payment or an invoice among those that need a decision, with keyboard shortcuts. */
export function DecisionPlace({ label, next, place, hasKeys }: PlaceProps) {
  if (!place.position && !place.nextHref) return null;
  return (
    <Neighbours label={label} place={place} next={place.position ? "Next" : next}>
      <DecisionKeys isOn={hasKeys} place={place} listHref={place.listHref} />
    </Neighbours>
  );
}

/** Where the decision is not beside what speaks for and against it: the money, and a link to it. */
export const DecisionBar = ({ cents }: { cents: number | null }) => (
  <div data-screen-only className="decision-link">
    {cents === null ? <span /> : <Amount cents={cents} className="font-medium" />}
    <a href="#decide" className={buttonClass("secondary")}>
      Go to the decision
    </a>
  </div>
);
