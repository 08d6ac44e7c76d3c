import { expect, test } from "vitest";
import { AppError, invalidInput } from "~/kernel/app-error";
import { BULK_INTENTS, doneResult, refusedResult, sumUp } from "~/modules/verifying/act-on-each.server";

test("nothing is approved in bulk", () => {
  expect(BULK_INTENTS).not.toContain("approve");
});

test("what was refused is listed first, in the words of the refusal or of its field", () => {
  const decided = new AppError("ALREADY_DECIDED", "Dana Wu approved this verification.");
  const invalid = invalidInput({ assignee: ["Choose a person."] });
  const { title, results } = sumUp([
    doneResult("v1", "Acme", "reject"),
    refusedResult("v2", "Birch", decided),
    refusedResult("v3", "Coast", invalid),
  ]);
  expect(title).toBe("1 of 3 done");
  expect(results.map(({ name, isDone, text }) => [name, isDone, text])).toEqual([
    ["Birch", false, "Dana Wu approved this verification."],
    ["Coast", false, "Choose a person."],
    ["Acme", true, "Rejected"],
  ]);
});
