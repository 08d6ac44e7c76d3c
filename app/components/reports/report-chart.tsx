import { cx } from "~/components/cx";
import type { ChartView, Tone } from "~/modules/reports/report.view";

const FILL: Readonly<Record<Tone, string>> = {
  accent: "fill-accent",
  review: "fill-review",
  pending: "fill-pending",
  neutral: "fill-ink-soft",
};

const SWATCH: Readonly<Record<Tone, string>> = {
  accent: "bg-accent",
  review: "bg-review",
  pending: "bg-pending",
  neutral: "bg-ink-soft",
};

/** A chart as the server worked it out: rectangles and words. The table beside it says the same in figures. */
export function ReportChart({ width, height, rects, labels, legend, summary }: ChartView) {
  return (
    <figure className="min-w-0">
      <svg
        role="img"
        aria-label={summary}
        viewBox={`0 0 ${width} ${height}`}
        className="h-auto w-full max-w-[600px] overflow-visible"
      >
        {rects.map(({ tone, ...rect }) => (
          <rect
            key={`${rect.x} ${rect.y}`}
            {...rect}
            rx={1.5}
            className={cx(FILL[tone], "stroke-surface forced-colors:fill-[CanvasText] forced-colors:stroke-[Canvas]")}
          />
        ))}
        {labels.map(({ x, y, text, anchor }) => (
          <text
            key={`${x} ${y} ${text}`}
            x={x}
            y={y}
            textAnchor={anchor}
            className="figures fill-ink-soft text-[13px] forced-colors:fill-[CanvasText]"
          >
            {text}
          </text>
        ))}
      </svg>
      {legend.length > 0 && (
        <figcaption className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-ink-soft text-sm">
          {legend.map(({ tone, text }) => (
            <span key={text} className="inline-flex items-center gap-2">
              <span aria-hidden="true" className={cx("size-3 rounded-sm print:border", SWATCH[tone])} />
              {text}
            </span>
          ))}
        </figcaption>
      )}
    </figure>
  );
}
