/** A chart computed on the server: bars, lines and text in drawing units. Pure. */

export type ChartTone = "accent" | "review" | "pending" | "neutral";

export type ChartView = {
  width: number;
  height: number;
  /** Lines of the scale, from its left end to the right, at this height. */
  lines: { x: number; y: number }[];
  /** All bars of a tone are one path, because each element would repeat its classes. */
  bars: { tone: ChartTone; d: string }[];
  labels: { x: number; y: number; text: string; anchor: "start" | "middle" | "end" }[];
  legend: { tone: ChartTone; text: string }[];
  /** A description for readers who cannot see the chart. */
  summary: string;
};

type Bar = { x: number; y: number; width: number; height: number; tone: ChartTone };

/** Positions are kept to a tenth of a unit. */
export const round = (value: number): number => Math.round(value * 10) / 10;

export function drawBars(bars: readonly Bar[]): ChartView["bars"] {
  const paths = new Map<ChartTone, string>();
  for (const { tone, x, y, width, height } of bars) {
    const path = `M${round(x)} ${round(y)}h${round(width)}v${round(height)}H${round(x)}z`;
    paths.set(tone, (paths.get(tone) ?? "") + path);
  }
  return [...paths].map(([tone, d]) => ({ tone, d }));
}

export const CHART_WIDTH = 600;
export const CHART_HEIGHT = 210;
/** The labels of the scale are left of this. */
export const CHART_LEFT = 76;
const TOP = 10;
const BOTTOM = 26;
const MOST_STEPS = 4;

/** A scale from zero in round steps, up to the first step that reaches the highest value. */
export function scaleOf(highest: number, say: (value: number) => string) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, highest / MOST_STEPS)));
  const step = ([1, 2, 5].find((times) => times * power * MOST_STEPS >= highest) ?? 10) * power;
  const steps = Math.ceil(highest / step);
  const base = CHART_HEIGHT - BOTTOM;
  const yOf = (value: number) => base - (value / (steps * step)) * (base - TOP);
  const values = Array.from({ length: steps + 1 }, (_, at) => at * step);
  return {
    yOf,
    lines: values.map((value) => ({ x: CHART_LEFT, y: Math.round(yOf(value)) })),
    labels: values.map((value) => ({
      ...{ x: CHART_LEFT - 8, y: Math.round(yOf(value)) + 4, text: say(value), anchor: "end" as const },
    })),
  };
}
