import { afterEach } from "vitest";
import { describePages } from "./browser";

/** A test in a browser that failed prints what its pages showed: a wait in vain says only what did not come. */
afterEach(async ({ task }) => {
  if (task.result?.state === "fail")
    console.error([`Pages when "${task.name}" failed:`, ...(await describePages())].join("\n\n"));
});
