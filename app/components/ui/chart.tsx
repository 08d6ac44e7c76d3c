import type { ChartTone, ChartView } from "~/kernel/chart";
import { cx } from "./elements";

/** Distinguishable without colours too: two fills, a hollow one and a grey one. */
const FILL: Readonly<Record<ChartTone, string>> = {
  accent: "fill-accent stroke-surface forced-colors:fill-[Highlight]",
  review: "fill-review-fill stroke-surface forced-colors:fill-[CanvasText]",
  pending: "fill-pending-wash stroke-pending stroke-[1.5] forced-colors:fill-[Canvas]",
  neutral: "fill-control stroke-surface forced-colors:fill-[GrayText]",
};

const SWATCH: Readonly<Record<ChartTone, string>> = {
  accent: "bg-accent forced-colors:bg-[Highlight]",
  review: "bg-review-fill forced-colors:bg-[CanvasText]",
  pending: "border-[1.5px] border-pending bg-pending-wash forced-colors:bg-[Canvas]",
  neutral: "bg-control forced-colors:bg-[GrayText]",
};

/**
 * A chart computed on the server, as wide as there is room for it. Where that is little its text is drawn larger; text of
 * twice the size leaves no room for that, so the table with the same figures replaces the chart there.
 */
export function Chart({ width, height, lines, bars, labels, legend, summary }: ChartView) {
  return (
    <div className="@container min-w-0">
      <figure>
        <svg
          data-over-drawing
          role="img"
          aria-label={summary}
          viewBox={`0 0 ${width} ${height}`}
          className="h-auto w-full max-w-[37.5rem] overflow-visible @max-[15rem]:hidden"
        >
          {lines.map(({ x, y }) => (
            <line key={y} x1={x} x2={width} y1={y} y2={y} className="stroke-line forced-colors:opacity-30" />
          ))}
          {bars.map(({ tone, d }) => (
            <path key={tone} d={d} className={cx(FILL[tone], "forced-colors:stroke-[CanvasText]")} />
          ))}
          {labels.map(({ x, y, text, anchor }) => (
            <text
              key={`${x} ${y} ${text}`}
              x={x}
              y={y}
              textAnchor={anchor}
              className="figures fill-ink-soft text-[13px] forced-colors:fill-[CanvasText] @max-[30rem]:text-[17px] @max-[24rem]:text-[21px]"
            >
              {text}
            </text>
          ))}
        </svg>
        {legend.length > 0 && (
          <figcaption className="figures mt-3 flex flex-wrap gap-x-5 gap-y-1 text-sm">
            {legend.map(({ tone, text }) => (
              <span key={text} className="inline-flex items-center gap-2">
                <span
                  aria-hidden="true"
                  className={cx(
                    "size-3 shrink-0 rounded-sm forced-color-adjust-none forced-colors:border forced-colors:border-[CanvasText]",
                    SWATCH[tone],
                  )}
                />
                {text}
              </span>
            ))}
          </figcaption>
        )}
      </figure>
    </div>
  );
}
