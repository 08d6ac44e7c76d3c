import type { Line } from "../layout/lines";
import { cellsOf } from "./context";
import type { Label } from "./labels";

/** In what name an account is. */

type Spot = { row: number; start: number; end: number; line: Line };

const MAX_LINES_AWAY = 9;
const MAX_NAME = 140;
const NEXT_LABEL =
  /\s*(?:[|;,]\s*)?\b(?:b\.?s\.?b\b|a\/?c(?:c(?:ount|t)?)?\s*(?:no|num|#|:)|account\s*(?:no|num|#|:)|bank\s*:|branch\s*:|swift|bic\b|abn\b|ref(?:erence)?\s*:|payid).*$/i;

/** The nearest "Account name" to an account. */
export function accountNameNear(
  lines: readonly Line[],
  labels: readonly Label[],
  account: Spot,
  bsb?: Spot,
): string | undefined {
  const near = labels
    .filter(({ kind, line }) => kind === "account_name" && line.turn === account.line.turn)
    .map((label) => ({
      label,
      away: Math.min(distanceToLabel(label, account), bsb ? distanceToLabel(label, bsb) : Number.POSITIVE_INFINITY),
    }))
    .filter(({ away }) => away < MAX_LINES_AWAY * 1.6)
    .sort((a, b) => a.away - b.away);
  for (const { label } of near) {
    const name = valueBeside(lines, label, labels);
    if (name) return name;
  }
  return undefined;
}

function distanceToLabel(label: Spot, account: Spot): number {
  const em = Math.max(account.line.size, 1);
  const down = Math.abs(label.line.baseline - account.line.baseline) / em;
  const aside = Math.max(0, label.start - account.end, account.start - label.end) / em;
  return down + aside / 4;
}

/** What a label names: the rest of its cell, the next cell, or the cell below. */
function valueBeside(lines: readonly Line[], label: Label, labels: readonly Label[]): string | undefined {
  const cells = cellsOf(label.line);
  const own = cells.find((cell) => label.from >= cell.from && label.from < cell.to);
  if (!own) return undefined;
  const rest = clean(label.line.text.slice(label.to, own.to));
  if (rest) return rest;
  const isLabelled = (cell: { from: number; to: number }, row: number) =>
    labels.some(
      (other) => other.row === row && other.from >= cell.from && other.from <= cell.from + 2 && other.isStrong,
    );
  const next = cells.find((cell) => cell.from > own.from);
  if (next && !isLabelled(next, label.row)) {
    const beside = clean(next.text);
    if (beside) return beside;
  }
  for (const [row, line] of lines.entries()) {
    const down = (line.baseline - label.line.baseline) / Math.max(label.line.size, 1);
    if (line.turn !== label.line.turn || down <= 0 || down > 3.5) continue;
    const below = cellsOf(line).find(
      (cell) =>
        Math.abs(cell.start - label.start) < label.line.size * 2 || (cell.start < label.end && cell.end > label.start),
    );
    if (below && !isLabelled(below, row)) return clean(below.text);
  }
  return undefined;
}

function clean(text: string): string | undefined {
  const name = text
    .replace(/^[\s:.\-–=|]+/, "")
    .replace(NEXT_LABEL, "")
    .replace(/[\s,;|]+$/, "")
    .slice(0, MAX_NAME);
  return /[a-z]{2}/i.test(name) ? name : undefined;
}
