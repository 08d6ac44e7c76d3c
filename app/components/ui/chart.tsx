import type { ChartTone, ChartView } from "~/kernel/chart";
import { cx } from "./elements";

/** The parts are distinguishable in forced colours too: two fills, a hollow one and a grey one. */
const FILL: Readonly<Record<ChartTone, string>> = {
  accent: "fill-accent forced-colors:fill-[Highlight]",
  review: "fill-review forced-colors:fill-[CanvasText]",
  pending: "fill-pending forced-colors:fill-[Canvas]",
  neutral: "fill-ink-soft forced-colors:fill-[GrayText]",
};

const SWATCH: Readonly<Record<ChartTone, string>> = {
  accent: "bg-accent forced-colors:bg-[Highlight]",
  review: "bg-review forced-colors:bg-[CanvasText]",
  pending: "bg-pending forced-colors:bg-[Canvas]",
  neutral: "bg-ink-soft forced-colors:bg-[GrayText]",
};

/**
 * A chart computed on the server. On a phone its text is drawn larger; bars with names beside them leave no room for
 * that, so the table with the same figures replaces them there, and every chart where letters are twice the size.
 */
export function Chart({ width, height, lines, rects, labels, legend, summary }: ChartView) {
  return (
    <figure className={cx("min-w-0 @max-[18rem]/main:hidden", lines.length === 0 && "max-sm:hidden")}>
      <svg
        data-over-drawing
        role="img"
        aria-label={summary}
        viewBox={`0 0 ${width} ${height}`}
        className="h-auto w-full max-w-[37.5rem] overflow-visible"
      >
        {lines.map(({ x, y }) => (
          <line key={y} x1={x} x2={width} y1={y} y2={y} className="stroke-line forced-colors:opacity-30" />
        ))}
        {rects.map(({ tone, ...rect }) => (
          <rect
            key={`${rect.x} ${rect.y}`}
            {...rect}
            rx={1.5}
            className={cx(FILL[tone], "stroke-surface forced-colors:stroke-[CanvasText]")}
          />
        ))}
        {labels.map(({ x, y, text, anchor }) => (
          <text
            key={`${x} ${y} ${text}`}
            x={x}
            y={y}
            textAnchor={anchor}
            className="figures fill-ink-soft text-[13px] @max-[40rem]/main:text-[21px] forced-colors:fill-[CanvasText]"
          >
            {text}
          </text>
        ))}
      </svg>
      {legend.length > 0 && (
        <figcaption className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-ink-soft text-sm">
          {legend.map(({ tone, text }) => (
            <span key={text} className="inline-flex items-center gap-2">
              <span
                aria-hidden="true"
                className={cx(
                  "size-3 rounded-sm forced-color-adjust-none forced-colors:border forced-colors:border-[CanvasText]",
                  SWATCH[tone],
                )}
              />
              {text}
            </span>
          ))}
        </figcaption>
      )}
    </figure>
  );
}
