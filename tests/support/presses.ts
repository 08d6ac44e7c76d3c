/** Functions that run in a page: each sees its arguments and nothing else. */

/** What lies in the way of a control, or of a row of a list: one line each. */
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
    // The way past the header stands above the window until it has the focus.
    if (!isShown(control) || control.getAttribute("href") === "#main") continue;
    control.scrollIntoView({ block: "center" });
    // A link that runs over two lines has a box for each.
    const [box] = control.getClientRects();
    if (!box) continue;
    const hit = hitAt(box.left + box.width / 2, box.top + box.height / 2);
    if (hit !== control && !control.contains(hit)) covered.push(`${nameOf(hit)} over ${nameOf(control)}`);
  }
  for (const row of document.querySelectorAll("tbody tr:has(a[data-row])")) {
    row.scrollIntoView({ block: "center" });
    const { left, top, width, height } = row.getBoundingClientRect();
    for (const part of [0.02, 0.25, 0.5, 0.75, 0.98]) {
      const hit = hitAt(left + width * part, top + height / 2);
      if (!row.contains(hit)) covered.push(`${nameOf(hit)} over ${part} of the row ${nameOf(row)}`);
    }
    // Whatever stands in the row: a press on it does something.
    for (const part of row.querySelectorAll("td *")) {
      if (!isShown(part) || part.closest(".sr-only")) continue;
      const box = part.getBoundingClientRect();
      const hit = hitAt(box.left + box.width / 2, box.top + box.height / 2);
      const pressed = hit?.closest("a[href], button, input, select, textarea, label, summary");
      if (!pressed || !row.contains(pressed)) covered.push(`${nameOf(hit)} does nothing in the row ${nameOf(row)}`);
    }
  }
  return covered;
}

export type Target = { x: number; y: number; path: string; name: string };

/** The middle of a row, which no button of its own takes, and where the row's link leads. */
export function findRow(index: number): Target {
  const rows = [...document.querySelectorAll("tbody tr:has(a[data-row])")];
  const row = rows.at(index);
  const link = row?.querySelector<HTMLAnchorElement>("a[data-row]");
  if (!row || !link) throw new Error(`there is no row ${index} of ${rows.length}`);
  row.scrollIntoView({ block: "center" });
  const { left, top, width, height } = row.getBoundingClientRect();
  const { pathname } = new URL(link.href);
  return { x: left + width / 2, y: top + height / 2, path: pathname, name: (link.textContent ?? "").trim() };
}
