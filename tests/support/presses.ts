/** Functions that run in a page, so they can only use their arguments. */

/** Whatever covers a control or a row of a list: one line each. */
export function findCovered(): string[] {
  const nameOf = (element: Element | null) =>
    element
      ? `${element.tagName.toLowerCase()} "${(element.textContent || element.getAttribute("name") || "").trim().slice(0, 30)}"`
      : "nothing";
  const isShown = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    return element.checkVisibility({ visibilityProperty: true }) && width > 4 && height > 4;
  };
  const hitAt = (x: number, y: number) => document.elementFromPoint(x, y);

  const covered: string[] = [];
  for (const control of document.querySelectorAll(
    "a[href], button, input:not([type=hidden]), select, textarea, summary",
  )) {
    // A honeypot field is not for people.
    if (!isShown(control) || control.matches('[aria-hidden="true"] *')) continue;
    control.scrollIntoView({ block: "center" });
    // A link that runs over two lines has a box for each.
    const [box] = control.getClientRects();
    // The skip link is outside the window until it has the focus.
    if (!box || (box.bottom < 0 && getComputedStyle(control).position === "fixed")) continue;
    const hit = hitAt(box.left + box.width / 2, box.top + box.height / 2);
    if (hit !== control && !control.contains(hit)) covered.push(`${nameOf(hit)} over ${nameOf(control)}`);
  }
  for (const row of document.querySelectorAll("tbody tr:has(a[data-row]), .inbox-row")) {
    // Beside an open item, the list is only visible if the window is wide enough.
    if (!isShown(row)) continue;
    row.scrollIntoView({ block: "center" });
    const { left, top, width, height } = row.getBoundingClientRect();
    for (const part of [0.02, 0.25, 0.5, 0.75, 0.98]) {
      const hit = hitAt(left + width * part, top + height / 2);
      if (!row.contains(hit)) covered.push(`${nameOf(hit)} over ${part} of the row ${nameOf(row)}`);
    }
    // A press anywhere in the row must do something.
    for (const part of row.querySelectorAll("td *, .inbox-row *")) {
      if (!isShown(part) || part.closest(".sr-only")) continue;
      const box = part.getBoundingClientRect();
      const hit = hitAt(box.left + box.width / 2, box.top + box.height / 2);
      const pressed = hit?.closest("a[href], button, input, select, textarea, label, summary");
      if (!pressed || !row.contains(pressed)) covered.push(`${nameOf(hit)} does nothing in the row ${nameOf(row)}`);
    }
  }
  return covered;
}

/**
 * Fields whose letters are so small that an iPhone zooms in when it focuses them. The styles for touch screens apply
 * during the check, whatever this machine has.
 */
export function findSmallFields(): string[] {
  const typed = [...document.querySelectorAll<HTMLElement>("input, select, textarea")].filter(
    (field) => !field.matches("[type=hidden], [type=checkbox], [type=radio], [aria-hidden=true] *"),
  );
  // The page is rendered twice below, so a page without fields returns here.
  const fields = typed.filter((field) => field.checkVisibility());
  if (fields.length === 0) return [];
  const forFingers: CSSMediaRule[] = [];
  const collect = (rules: CSSRuleList) => {
    for (const rule of rules) {
      if (rule instanceof CSSMediaRule && rule.conditionText.includes("any-pointer")) forFingers.push(rule);
      if ("cssRules" in rule) collect(rule.cssRules as CSSRuleList);
    }
  };
  for (const sheet of document.styleSheets) collect(sheet.cssRules);
  const said = forFingers.map(({ media }) => media.mediaText);
  for (const { media } of forFingers) media.mediaText = "all";
  const found = fields.flatMap((field) => {
    const size = Number.parseFloat(getComputedStyle(field).fontSize);
    return size < 16 ? [`${field.getAttribute("name")}: ${size} px`] : [];
  });
  for (const [at, { media }] of forFingers.entries()) media.mediaText = said[at] ?? "";
  return found;
}

type Moving = { moves?: string[] };

/**
 * Runs before the page is rendered: records every layout shift from the frame in which the whole document was parsed. A
 * busy machine draws a document in parts before that, and its scripts run afterwards. Only Chromium reports shifts.
 */
export function recordLayoutShifts(): void {
  const moves: string[] = [];
  (window as Moving).moves = moves;
  let wholeAt = Number.POSITIVE_INFINITY;
  const isWhole = () => requestAnimationFrame(() => requestAnimationFrame((at) => (wholeAt = at)));
  document.addEventListener("readystatechange", () => document.readyState === "interactive" && isWhole());
  type Shift = PerformanceEntry & { sources: { node: Node | null }[] };
  new PerformanceObserver((list) => {
    for (const { sources, startTime } of list.getEntries() as Shift[]) {
      if (startTime < wholeAt) continue;
      moves.push(sources.map(({ node }) => `${node?.nodeName} ${node?.textContent?.trim().slice(0, 30)}`).join(", "));
    }
  }).observe({ type: "layout-shift", buffered: true });
}

/** The layout shifts until now. */
export async function layoutShifts(): Promise<string[]> {
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  return (window as Moving).moves ?? ["not kept"];
}

export type Target = { x: number; y: number; path: string; name: string };

/** The middle of a row, outside its buttons, and the row's link target. */
export function findRow(index: number): Target {
  const rows = [...document.querySelectorAll("tbody tr:has(a[data-row]), .inbox-row")];
  const row = rows.at(index);
  const link = row?.querySelector<HTMLAnchorElement>("a[data-row], a[data-item]");
  if (!row || !link) throw new Error(`there is no row ${index} of ${rows.length}`);
  row.scrollIntoView({ block: "center" });
  const { left, top, width, height } = row.getBoundingClientRect();
  const { pathname } = new URL(link.href);
  return { x: left + width / 2, y: top + height / 2, path: pathname, name: (link.textContent ?? "").trim() };
}

/** In the page: the outcome of the expected press, and who listens for it. */
type Awaiting = { press?: "awaited" | "arrived" | "missed"; listening?: AbortController };

/**
 * The middle of the control with this name, or with a name that contains it; null while there is none. From now on the
 * page records whether a press reaches it.
 */
export function findControl(name: string): { x: number; y: number } | null {
  const tidy = (text: string | null | undefined) => (text ?? "").replace(/\s+/g, " ").trim();
  const nameOf = (control: Element) =>
    control instanceof HTMLInputElement
      ? tidy(control.labels?.[0]?.textContent)
      : tidy(control.getAttribute("aria-label") ?? control.textContent);
  // Buttons before links, because a form's tab has the same name as its button.
  const kinds = ["button", "summary, input[type=checkbox], input[type=radio]", "a[href]"];
  const all = kinds.flatMap((kind) => [...document.querySelectorAll(kind)]);
  const controls = all.filter((control) => control.checkVisibility({ visibilityProperty: true }));
  const control =
    controls.find((each) => nameOf(each) === name) ??
    controls.find((each) => nameOf(each).startsWith(name)) ??
    controls.find((each) => nameOf(each).includes(name));
  if (!control) return null;
  control.scrollIntoView({ block: "center" });
  const [box] = control.getClientRects();
  if (!box) return null;
  const { left, top, width, height } = box;
  const at = { x: left + width / 2, y: top + height / 2 };
  const hit = document.elementFromPoint(at.x, at.y);
  if (!hit || !control.contains(hit)) return null;
  // Without scripts nothing moves, and no event can be observed.
  if (matchMedia("(scripting: none)").matches) return at;
  const page = window as Awaiting;
  page.press = "awaited";
  page.listening?.abort();
  page.listening = new AbortController();
  const { signal } = page.listening;
  let isMissed = false;
  // A press that begins and ends on the control reaches it. Whatever has moved under the pointer is not pressed in its place.
  const follow = (event: Event) => {
    isMissed ||= event.type !== "click" && !(event.target instanceof Node && control.contains(event.target));
    if (event.type === "mouseup") page.press = isMissed ? "missed" : "arrived";
    if (event.type === "mouseup" && !isMissed) page.listening?.abort();
    if (!isMissed) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  for (const part of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"])
    window.addEventListener(part, follow, { capture: true, signal });
  return at;
}

/** The outcome of the press on the last found control; undefined if the page has changed since or has no scripts. */
export const findPress = () => (window as Awaiting).press;

/** A selector for the field with this label; null while there is none. */
export function findField(label: string): string | null {
  const tidy = (text: string | null) => (text ?? "").replace(/\s+/g, " ").trim();
  const labels = [...document.querySelectorAll<HTMLLabelElement>("main label, dialog label")].filter(
    (each) => each.control && each.checkVisibility(),
  );
  const found =
    labels.find((each) => tidy(each.textContent) === label) ??
    labels.find((each) => tidy(each.textContent).startsWith(label));
  if (!found?.control) return null;
  found.control.scrollIntoView({ block: "center" });
  return `#${CSS.escape(found.control.id)}`;
}
