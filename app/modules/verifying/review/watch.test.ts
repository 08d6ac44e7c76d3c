import { expect, test } from "vitest";
import { toWatchView } from "./review-page.server";

const view = { q: "timber", order: "oldest" as const };

test("a page with forms never loads itself again; its link leads to the one without, in the same view of the queue", () => {
  const shown = toWatchView("v1", view, { isWatching: false, canStop: true });
  expect(shown.refreshSeconds).toBeNull();
  expect(shown.link?.href).toBe("/verifications/v1?q=timber&order=oldest&watch=yes");
});

test("a page without forms loads itself again, and leads back to the forms those who may use them", () => {
  const writer = toWatchView("v1", view, { isWatching: true, canStop: true });
  expect(writer.refreshSeconds).toBe(30);
  expect(writer.link?.href).toBe("/verifications/v1?q=timber&order=oldest");
  expect(toWatchView("v1", view, { isWatching: true, canStop: false })).toMatchObject({
    refreshSeconds: 30,
    link: null,
  });
});
