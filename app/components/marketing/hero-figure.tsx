import { Badge } from "~/components/ui/badge";
import { Bsb, Digits } from "~/components/ui/digits";
import { Icon } from "~/components/ui/icons";
import { ScoreFigure } from "~/components/ui/score-figure";
import { MarkedName } from "~/components/verification/marked-name";
import type { NamePart } from "~/modules/verifications/name-match";

const invoice = "Harbour Foods Pty Ltd";
const bank = "Harborview Foods";
const parts: readonly NamePart[] = [
  { status: "same", submittedStart: 0, submittedEnd: 5, heldStart: 0, heldEnd: 5 },
  { status: "different", submittedStart: 5, submittedEnd: 7, heldStart: 5, heldEnd: 10 },
  { status: "same", submittedStart: 7, submittedEnd: 13, heldStart: 10, heldEnd: 16 },
  { status: "only_submitted", submittedStart: 13, submittedEnd: 21, heldStart: 16, heldEnd: 16 },
];

/** An invented payee whose bank knows it under another name: the product's comparison in small. */
export function HeroFigure() {
  return (
    <figure className="overflow-clip rounded-base bg-surface shadow-lift ring-1 ring-line">
      <figcaption className="flex items-center justify-between gap-3 border-line border-b bg-sunken px-5 py-3 text-ink-soft text-sm">
        An invented example
        <Badge tone="review" icon="hand">
          Payment held
        </Badge>
      </figcaption>
      <dl className="divide-y divide-line">
        <div className="px-5 py-4">
          <dt className="flex items-center gap-2 text-ink-soft text-sm">
            <Icon name="file" className="size-4" /> On the invoice
          </dt>
          <dd className="mt-1 text-xl tracking-[-0.01em]">
            <MarkedName name={invoice} parts={parts} side="submitted" />
          </dd>
          <dd className="mt-1 flex gap-4 text-base text-ink-soft">
            <Bsb value="062000" />
            <Digits>1234 5678</Digits>
          </dd>
        </div>
        <div className="px-5 py-4">
          <dt className="flex items-center gap-2 text-ink-soft text-sm">
            <Icon name="bank" className="size-4" /> At the bank
          </dt>
          <dd className="mt-1 text-xl tracking-[-0.01em]">
            <MarkedName name={bank} parts={parts} side="held" />
          </dd>
          <dd className="mt-1 flex gap-4 text-base text-ink-soft">
            <Bsb value="062000" />
            <Digits>1234 5678</Digits>
          </dd>
        </div>
      </dl>
      <div className="flex flex-wrap items-center justify-between gap-4 border-line border-t px-5 py-4">
        <p className="max-w-[24ch] text-base text-ink-soft">
          Same account, different name. Someone looks before it is paid.
        </p>
        <ScoreFigure score={58} className="w-28" />
      </div>
    </figure>
  );
}
