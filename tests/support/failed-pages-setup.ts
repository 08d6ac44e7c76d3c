import { afterEach } from "vitest";
import { describePages } from "./browser";

/** Prints the contents of the pages when a browser test fails, because a timeout only says what did not appear. */
afterEach(async ({ task }) => {
  if (task.result?.state === "fail")
    console.error([`Pages when "${task.name}" failed:`, ...(await describePages())].join("\n\n"));
});
