import { expect, test } from "vitest";
import { shouldRevalidate } from "./root";

test.each([
  [409, true],
  [400, false],
  [503, false],
])("a form that is refused with %i loads whose its page is again: %s", async (status, isLoaded) => {
  expect(shouldRevalidate({ actionStatus: status, defaultShouldRevalidate: true } as never)).toBe(isLoaded);
});
