import type { Page } from "playwright-core";

/** The visible fields of a page and their values, and which of its collapsible parts are open. */

/**
 * One line a field: its place among the fields, its name, and what is typed, ticked or chosen in it; and one for each part
 * that opens. In the document that is shown, or in one that was not drawn.
 */
export const readFields = (page: Page, html?: string): Promise<string[]> =>
  page.evaluate((source) => {
    const shown = source === undefined ? document : new DOMParser().parseFromString(source, "text/html");
    if (source !== undefined) for (const unscripted of shown.querySelectorAll("noscript")) unscripted.remove();
    const fields = [...shown.querySelectorAll<HTMLInputElement>("input:not([type=hidden]), textarea, select")];
    const parts = [...shown.querySelectorAll<HTMLDetailsElement>("main details")];
    return [...fields.map(describe), ...parts.map(({ open }, at) => `part ${at} ${open ? "open" : "closed"}`)];

    function describe(field: HTMLInputElement, at: number): string {
      const isTick = /^(checkbox|radio)$/.test(field.type);
      const text = field.type === "file" ? `${field.files?.length ?? 0} files` : JSON.stringify(field.value);
      return `${at} ${field.name} ${isTick ? `${field.value} ${field.checked ? "ticked" : "not ticked"}` : text}`;
    }
  }, html);

/** Opens every part, then types, ticks or chooses in every field that a person can reach. @returns how many fields */
export const fillFields = (page: Page, text: string): Promise<number> =>
  page.evaluate((typed) => {
    const fields = [
      ...document.querySelectorAll<HTMLInputElement>("main :is(input:not([type=hidden]), textarea, select)"),
    ];
    for (const part of document.querySelectorAll<HTMLDetailsElement>("main details")) part.open = true;
    const open = fields.filter((field) => !field.disabled && !field.readOnly && !field.hidden);
    for (const field of open) fill(field as unknown as HTMLInputElement | HTMLSelectElement);
    return open.length;

    function fill(field: HTMLInputElement | HTMLSelectElement) {
      if (field instanceof HTMLSelectElement) {
        field.selectedIndex = (field.selectedIndex + 1) % field.options.length;
      } else if (field.type === "checkbox") field.checked = !field.checked;
      else if (field.type === "radio") field.checked = true;
      else if (field.type === "file") field.files = aFile();
      else if (field.type === "date") field.value = "2026-11-01";
      else if (field.type === "time") field.value = "04:05";
      else if (field.type === "number") field.value = "17";
      else field.value = typed;
      for (const name of ["input", "change"]) field.dispatchEvent(new Event(name, { bubbles: true }));
    }

    function aFile(): FileList {
      const chosen = new DataTransfer();
      chosen.items.add(new File([typed], "left.csv"));
      return chosen.files;
    }
  }, text);

type Router = {
  navigate(to: string): Promise<void>;
  state: {
    location: { pathname: string; search: string };
    navigation: { state: string };
    revalidation: string;
  };
};

/** Waits until scripts answer every press on the page, if it has scripts. */
export const scripted = (page: Page) => page.waitForFunction(isScripted, null, { polling: 50 });

/**
 * In the page: whether scripts answer every press, if it has scripts. Before that a press is the browser's, as without scripts:
 * until React has drawn the document once, and for the parts whose script comes later (app/components/on-demand.tsx) until
 * React has drawn those too. React marks each element that it has drawn.
 */
export function isScripted(): boolean {
  // What is still arriving may have scripts.
  if (document.readyState === "loading") return false;
  if (!("__remixContext" in window)) return true;
  const key = Object.keys(document).find((each) => each.startsWith("__reactContainer$"));
  const root = key && (document as unknown as Record<string, Container>)[key]?.stateNode?.current.memoizedState;
  const pressed = [...document.querySelectorAll("form, button, input, select, textarea, a")];
  const isDrawn = (element: Element) => Object.keys(element).some((each) => each.startsWith("__reactProps$"));
  return Boolean("__remixRouter" in window && root && !root.isDehydrated && pressed.every(isDrawn));
}

type Container = { stateNode?: { current: { memoizedState?: { isDehydrated: boolean } } } };

/** Navigates as a link of the page does, without loading a new document. */
export async function navigate(page: Page, address: string): Promise<void> {
  await scripted(page);
  await page.evaluate((to) => (window as unknown as { __remixRouter: Router }).__remixRouter.navigate(to), address);
  await settled(page, address);
}

/** Waits until the router is at an address, and nothing more is on its way. The page may be drawn a moment later. */
export async function settled(page: Page, address: string): Promise<void> {
  await page.waitForFunction(
    (to) => {
      const { location, navigation, revalidation } = (window as unknown as { __remixRouter: Router }).__remixRouter
        .state;
      const isIdle = navigation.state === "idle" && revalidation === "idle";
      return location.pathname + location.search === to && isIdle;
    },
    address,
    { polling: 50 },
  );
}
