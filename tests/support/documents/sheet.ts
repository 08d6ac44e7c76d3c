/** A document as words with positions, before a producer makes a file of it. In points from the upper left corner. */
export type Words = {
  text: string;
  x: number;
  /** Of the baseline. */
  y: number;
  size?: number;
  isBold?: boolean;
  /** "#rrggbb"; black without it. */
  color?: string;
  /** Added after each character. */
  spacing?: number;
  /** Clockwise quarter turns. */
  turn?: 0 | 1;
};
export type Panel = { panel: [x: number, y: number, width: number, height: number]; color: string };
export type Op = Words | Panel;

export type Sheet = {
  pages: Op[][];
  /** Clockwise quarter turns with which viewers show the pages. */
  rotate?: 0 | 90 | 270;
};

export const [WIDTH, HEIGHT] = [595, 842];

export const isPanel = (op: Op): op is Panel => "panel" in op;

/** Lines under each other. */
export function block(x: number, y: number, lines: readonly string[], size = 10, lead = 1.4): Words[] {
  return lines.map((text, index) => ({ text, x, y: y + index * size * lead, size }));
}
