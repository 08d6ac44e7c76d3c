import { MarkedName } from "~/components/payees/verification/marked-name";
import { Badge } from "~/components/ui/badge";
import { Bsb, Digits } from "~/components/ui/digits";
import { Icon, type IconName } from "~/components/ui/icons";
import { ScoreFigure } from "~/components/ui/score-figure";
import type { MarkedNames } from "~/modules/name-match";

/** An invented payee whose bank holds the account under a name that differs by two letters. */
export const HERO_NAMES = { invoice: "Harbour Foods Pty Ltd", bank: "Harbour Funds Pty Ltd" } as const;

/** The product's comparison in small, marked and scored by the product's own matcher. */
export function HeroFigure({ match }: { match: { score: number; names: MarkedNames } }) {
  return (
    <figure className="overflow-clip rounded-base bg-surface shadow-lift border border-line">
      <figcaption className="flex items-center justify-between gap-3 border-line border-b bg-sunken px-5 py-3 text-ink-soft text-sm">
        Example with invented details
        <Badge tone="review" icon="pause">
          Payment held
        </Badge>
      </figcaption>
      <dl className="divide-y divide-line">
        <Side icon="file" label="On the invoice">
          <MarkedName stretches={match.names.submitted} />
        </Side>
        <Side icon="bank" label="At the bank">
          <MarkedName stretches={match.names.held} />
        </Side>
      </dl>
      <div className="flex flex-wrap items-center justify-between gap-4 border-line border-t px-5 py-4">
        <p className="max-w-[25ch] text-base text-ink-soft">
          The names differ by two letters. A person decides before it is paid.
        </p>
        <ScoreFigure score={match.score} className="w-28" />
      </div>
    </figure>
  );
}

function Side({ icon, label, children }: { icon: IconName; label: string; children: JSX.Element }) {
  return (
    <div className="px-5 py-4">
      <dt className="flex items-center gap-2 text-ink-soft text-sm">
        <Icon name={icon} className="size-4" /> {label}
      </dt>
      <dd className="mt-1 text-xl tracking-[-0.01em]">{children}</dd>
      <dd className="mt-1 flex gap-4 text-base text-ink-soft">
        <Bsb value="062000" />
        <Digits>1234 5678</Digits>
      </dd>
    </div>
  );
}
