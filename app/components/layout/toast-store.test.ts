import { expect, test } from "vitest";
import { createToastStore, TOAST_REMOVE_DELAY_MS } from "./toast-store";

function aStore() {
  const waiting: { act: () => void; delayMs: number }[] = [];
  return { waiting, store: createToastStore((act, delayMs) => waiting.push({ act, delayMs })) };
}

const message = (title: string) => ({ tone: "success" as const, title });

test("a second toast takes the place of the first", () => {
  const { store } = aStore();
  store.show(message("first"));
  store.show(message("second"));
  expect(store.get().map((toast) => toast.title)).toEqual(["second"]);
});

test("a dismissed toast closes at once and leaves the store after 1,000,000 ms", () => {
  const { store, waiting } = aStore();
  const id = store.show(message("saved"));
  store.dismiss(id);
  expect(store.get()).toMatchObject([{ id, open: false }]);
  expect(waiting.map((timer) => timer.delayMs)).toEqual([TOAST_REMOVE_DELAY_MS]);
  waiting[0]?.act();
  expect(store.get()).toEqual([]);
});

test("the removal of an old toast leaves a newer one alone", () => {
  const { store, waiting } = aStore();
  store.dismiss(store.show(message("old")));
  store.show(message("new"));
  waiting[0]?.act();
  expect(store.get().map((toast) => toast.title)).toEqual(["new"]);
});

test("dismissing twice, or what was never shown, schedules nothing more", () => {
  const { store, waiting } = aStore();
  const id = store.show(message("saved"));
  store.dismiss(id);
  store.dismiss(id);
  store.dismiss(id + 1);
  expect(waiting).toHaveLength(1);
});

test("listeners hear of every change until they leave", () => {
  const { store } = aStore();
  let heard = 0;
  const leave = store.subscribe(() => {
    heard += 1;
  });
  const id = store.show(message("saved"));
  store.dismiss(id);
  leave();
  store.show(message("unheard"));
  expect(heard).toBe(2);
});

test("the same list is handed out until something changes", () => {
  const { store } = aStore();
  store.show(message("saved"));
  expect(store.get()).toBe(store.get());
});
