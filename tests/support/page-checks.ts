import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { isFirefox } from "./browser";

/** Checks for every page, made in one visit, because opening a page costs more than checking it. */

/** The rules of axe whose answer depends on the colour scheme; the others read the document, which is the same in both. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** The minified build, because every page has to parse it: `axe.source` is twice as long. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

type Options = {
  /** Widths in CSS pixels that the page must fit into. */
  widths?: readonly number[];
  /** A selector for content that is not ours, such as a provider's frame. */
  exclude?: string;
  /** Contrasts that axe cannot decide are problems too. Not for a page under a dialog, or with tabs partly out of view. */
  everyContrast?: boolean;
};

/**
 * Checks the page as it stands: axe in both colour schemes, controls and marks with forced colours, and its widths.
 * The page has its own size and a light scheme without forced colours afterwards.
 * @returns one line a problem; none when the page is as it must be
 */
export async function findProblems(
  page: Page,
  { widths = [320], exclude, everyContrast = false }: Options = {},
): Promise<string[]> {
  const tooWide = await findTooWide(page, widths);
  // Firefox ESR cannot emulate colour schemes, and axe crashes it while a dialog is open.
  if (isFirefox) return tooWide;
  return [
    ...(await findAxeProblems(page, { exclude, everyContrast })),
    ...(await findInvisibleControls(page)),
    ...tooWide,
  ];
}

async function findAxeProblems(
  page: Page,
  { exclude, everyContrast }: Pick<Options, "exclude" | "everyContrast">,
): Promise<string[]> {
  const found: string[] = [];
  await page.evaluate(AXE);
  await page.evaluate(readColoursOnce);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, forcedColors: "none" });
    const { violations, undecided } = await page.evaluate(runAxe, {
      exclude,
      rules: colorScheme === "dark" ? COLOUR_RULES : undefined,
      colourRules: COLOUR_RULES,
    });
    found.push(...violations.map((problem) => `${colorScheme}: ${problem}`));
    if (everyContrast) found.push(...undecided.map((target) => `${colorScheme}: contrast not decided: ${target}`));
  }
  return found;
}

/**
 * In the browser: axe reads each colour once. It would read the same few again for every element and everything behind it,
 * which took a third of its time.
 */
function readColoursOnce() {
  type Colour = { r: number; g: number; b: number; alpha: number };
  type Commons = { color: { Color: { prototype: { parseString(this: Colour, text: string): Colour } } } };
  const { prototype } = (window as unknown as { axe: { commons: Commons } }).axe.commons.color.Color;
  const { parseString } = prototype;
  const known = new Map<string, Colour>();
  prototype.parseString = function (text) {
    if (!known.has(text)) {
      const { r, g, b, alpha } = parseString.call(this, text);
      known.set(text, { r, g, b, alpha });
    }
    return Object.assign(this, known.get(text));
  };
}

/**
 * In the browser: runs axe over the document. Only what is wrong or not decided is written out: describing the elements
 * that are right takes most of axe's time. A drawing behind text, which axe cannot see through, never runs beneath the
 * letters themselves.
 */
async function runAxe(told: { exclude?: string; rules?: string[]; colourRules: string[] }) {
  const checker = (window as unknown as { axe: typeof axe }).axe;
  // Elements that are still fading in do not have their final colours. Endless animations are not waited for.
  for (const animation of document.getAnimations())
    if (Number.isFinite(animation.effect?.getComputedTiming().endTime)) animation.finish();
  const { violations, incomplete } = await checker.run(told.exclude ? { exclude: [told.exclude] } : document, {
    resultTypes: ["violations", "incomplete"],
    // Its copy of every style sheet is only for rules that are not run here.
    preload: { assets: ["media"], timeout: 10_000 },
    ...(told.rules && { runOnly: told.rules }),
  });
  const targetsOf = (nodes: AxeResults["violations"][number]["nodes"]) =>
    nodes.map(({ target }) => (target.length === 1 ? String(target[0]) : JSON.stringify(target)));
  return {
    violations: violations.map(({ id, nodes }) => `${id}: ${targetsOf(nodes).join(", ")}`),
    undecided: incomplete
      .filter(({ id }) => told.colourRules.includes(id))
      .flatMap(({ nodes }) => targetsOf(nodes))
      .filter((target) => !document.querySelector(target)?.closest("[data-over-drawing]")),
  };
}

async function findInvisibleControls(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, forcedColors: "active" });
    const problems = await page.evaluate(listInvisible);
    found.push(...problems.map((problem) => `forced colours on ${colorScheme}: ${problem}`));
  }
  await page.emulateMedia({ colorScheme: "light", forcedColors: "none" });
  return found;
}

async function findTooWide(page: Page, widths: readonly number[]): Promise<string[]> {
  const own = page.viewportSize();
  const found: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: own?.height ?? 900 });
    await page.evaluate(settleLayout);
    const wide = isFirefox
      ? await page.evaluate(() => document.documentElement.scrollWidth)
      : (await layoutOf(page)).cssContentSize.width;
    if (wide > width) found.push(`${wide} pixels wide in ${width}`);
  }
  if (own) await page.setViewportSize(own);
  return found;
}

/** In the browser: waits until the fonts are loaded and the page is laid out at this width. */
const settleLayout = () =>
  document.fonts.ready.then(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );

async function layoutOf(page: Page) {
  const client = await page.context().newCDPSession(page);
  const layout = await client.send("Page.getLayoutMetrics");
  await client.detach();
  return layout;
}

/**
 * In the browser: finds controls without a border, text in the colour of its background, and a missing mark of the
 * current page.
 */
function listInvisible(): string[] {
  const problems: string[] = [];
  for (const animation of document.getAnimations())
    if (Number.isFinite(animation.effect?.getComputedTiming().endTime)) animation.finish();
  const isShown = (element: Element) => element.getClientRects().length > 0 && !element.closest(".sr-only");
  const nameOf = (element: Element) => `${element.tagName} ${(element.textContent ?? "").trim().slice(0, 30)}`;
  for (const control of document.querySelectorAll("input:not([type=hidden]), select, textarea, main button")) {
    const { borderTopWidth, borderTopStyle } = getComputedStyle(control);
    const isNative = control.matches(".tick, [type=file]");
    const hasEdge = borderTopWidth !== "0px" && borderTopStyle !== "none";
    if (isShown(control) && !isNative && !control.closest("details") && !hasEdge)
      problems.push(`no edge: ${nameOf(control)}`);
  }
  const canvas = getComputedStyle(document.body).backgroundColor;
  for (const filled of document.querySelectorAll(".bg-accent, .bg-danger, .bg-review, mark, [aria-current=page]")) {
    const { color, backgroundColor } = getComputedStyle(filled);
    // With forced colours, text has the canvas colour behind it, whatever the element's background is.
    const isOnCanvas = getComputedStyle(filled).getPropertyValue("forced-color-adjust") !== "none";
    if (isShown(filled) && (color === backgroundColor || (isOnCanvas && color === canvas)))
      problems.push(`text in the colour of its background: ${nameOf(filled)}`);
  }
  for (const current of document.querySelectorAll("nav [aria-current=page]")) {
    const other = current.closest("nav")?.querySelector("a:not([aria-current])");
    const backgroundOf = (element: Element) => getComputedStyle(element).backgroundColor;
    if (other && isShown(current) && backgroundOf(other) === backgroundOf(current))
      problems.push(`not marked as the current page: ${nameOf(current)}`);
  }
  return problems;
}
