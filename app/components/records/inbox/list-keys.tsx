import { useNavigate } from "@remix-run/react";
import { useRef } from "react";
import { KeySheet, useKeys } from "~/components/ui/key-sheet";
import { appPaths } from "~/kernel/paths/app";

const KEYS = [
  ["J", "Next row"],
  ["K", "Previous row"],
  ["Enter", "Opens the row"],
  ["X", "Ticks the row, where several can be acted on"],
  ["/", "Search"],
  ["Ctrl+K", "Searches everything. On a Mac: ⌘+K"],
  ["?", "This list"],
] as const;

/** The links of the rows, in display order. */
const rows = () => [...document.querySelectorAll<HTMLElement>("main :is([data-item], [data-row])")];

/** The row that has the focus, or contains the focused element. */
const at = (links: readonly HTMLElement[]) => {
  const box = document.activeElement?.closest("tr, li");
  return box ? links.findIndex((link) => box.contains(link)) : -1;
};

function move(by: 1 | -1) {
  const links = rows();
  const to = Math.min(links.length - 1, Math.max(0, at(links) + by));
  links[to]?.focus();
}

function tick() {
  const links = rows();
  links[at(links)]?.closest("tr, li")?.querySelector<HTMLInputElement>("input[type=checkbox]")?.click();
}

/** Keyboard navigation between the rows of a list, and ticking them. Enter opens the row that has the focus. */
export function ListKeys() {
  const sheet = useRef<HTMLDialogElement>(null);
  const navigate = useNavigate();
  const search = () => {
    const field = document.querySelector<HTMLElement>("main input[type=search]");
    return field ? field.focus() : navigate(appPaths.search);
  };
  useKeys({ j: () => move(1), k: () => move(-1), x: tick, "/": search }, sheet);
  return <KeySheet sheet={sheet} keys={KEYS} />;
}
