import { cx } from "~/components/ui/elements";
import { Card } from "~/components/ui/page-parts";
import type { ChartMark, PayeeChart } from "~/modules/payments/payee-chart.server";

const LANES = { contact: "Contact", bank: "Bank details", payments: "Payments" } as const;
/** In rem, because the picture grows with the letters in it. */
const FIRST_LANE = 2;
const LANE_STEP = 2.75;
const HEIGHT = 10.5;

/** Shapes differ as well as colours, so that the picture works in black and white or with a person's own colours. */
const SHAPES: Readonly<Record<ChartMark["kind"], { d: string; look: string; word: string }>> = {
  changed: { d: "M0-7 7 0 0 7-7 0Z", look: "fill-ink stroke-surface", word: "Changed" },
  verified: { d: "M-6 0-2 4 6-5", look: "fill-none stroke-verified stroke-[2.5]", word: "Verified" },
  rejected: { d: "M-5-5 5 5M5-5-5 5", look: "fill-none stroke-review stroke-[2.5]", word: "Rejected" },
  paid: { d: "M5 0A5 5 0 1 1-5 0 5 5 0 0 1 5 0Z", look: "fill-ink-soft stroke-surface", word: "Paid" },
  open: { d: "M5 0A5 5 0 1 1-5 0 5 5 0 0 1 5 0Z", look: "fill-surface stroke-ink-soft stroke-2", word: "Authorised" },
  held: { d: "M-6-6H6V6H-6Z", look: "fill-surface stroke-review stroke-2", word: "Held" },
  stopped: { d: "M-5-5 5 5M5-5-5 5", look: "fill-none stroke-ink-soft stroke-2", word: "Rejected or failed" },
};

/** Changes of a payee's contact and bank details, and its payments, on parallel time lines. */
export function PayeeChartCard({ chart }: { chart: PayeeChart }) {
  const { marks, closeBand, ticks, sentence, summary } = chart;
  const kinds = [...new Set(marks.map(({ kind }) => kind))];
  const lanes = Object.entries(LANES).map(([lane, label], at) => ({
    label,
    y: FIRST_LANE + at * LANE_STEP,
    marks: marks.filter((mark) => mark.lane === lane),
  }));
  return (
    <Card title="Time line" description={sentence} className="mb-6">
      <figure>
        <svg
          role="img"
          aria-label={summary}
          data-over-drawing
          width="100%"
          height={`${HEIGHT}rem`}
          className="overflow-visible text-xs"
        >
          {/* Leaves room for a mark at either end. */}
          <svg aria-hidden="true" x="1.5%" width="97%" height={`${HEIGHT}rem`} className="overflow-visible">
            {closeBand && (
              <rect
                x={`${closeBand.from}%`}
                width={`${Math.max(0.6, closeBand.to - closeBand.from)}%`}
                y="0.875rem"
                height={`${HEIGHT - 2.125}rem`}
                className="fill-review-wash stroke-review-line [stroke-dasharray:3_3]"
              />
            )}
            {lanes.map(({ label, y, marks }) => (
              <g key={label}>
                <text x="-1.5%" y={`${y - 0.875}rem`} className="fill-ink-soft">
                  {label}
                </text>
                <line x1="0" x2="100%" y1={`${y}rem`} y2={`${y}rem`} className="stroke-control" />
                {marks.map(({ kind, x, isClose }) => (
                  <svg aria-hidden="true" key={`${kind} ${x}`} x={`${x}%`} y={`${y}rem`} className="overflow-visible">
                    <svg aria-hidden="true" x="-0.5rem" y="-0.5rem" width="1rem" height="1rem" viewBox="-8 -8 16 16">
                      <path
                        d={SHAPES[kind].d}
                        className={cx(SHAPES[kind].look, isClose && "fill-review")}
                        strokeLinecap="round"
                      />
                    </svg>
                  </svg>
                ))}
              </g>
            ))}
            {ticks.map((tick, at) => (
              <text
                key={tick}
                x={`${at * 50}%`}
                y={`${HEIGHT - 0.25}rem`}
                textAnchor={at === 0 ? "start" : "middle"}
                className={cx("figures fill-ink-soft", at > 0 && "@max-[18rem]/main:hidden")}
              >
                {tick}
              </text>
            ))}
            <text x="100%" y={`${HEIGHT - 0.25}rem`} textAnchor="end" className="fill-ink-soft">
              Today
            </text>
          </svg>
        </svg>
        <figcaption className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-ink-soft text-sm">
          {kinds.map((kind) => (
            <span key={kind} className="inline-flex items-center gap-2">
              <svg aria-hidden="true" viewBox="-8 -8 16 16" className="size-4">
                <path d={SHAPES[kind].d} className={SHAPES[kind].look} strokeLinecap="round" />
              </svg>
              {SHAPES[kind].word}
            </span>
          ))}
          {closeBand && (
            <span className="inline-flex items-center gap-2">
              <svg aria-hidden="true" viewBox="-8 -8 16 16" className="size-4">
                <rect
                  x="-7"
                  y="-7"
                  width="14"
                  height="14"
                  className="fill-review-wash stroke-review-line [stroke-dasharray:3_3]"
                />
              </svg>
              Contact and bank details changed close together
            </span>
          )}
        </figcaption>
      </figure>
    </Card>
  );
}
