import { expect, test } from "vitest";
import rows from "./recorded-answers.json";
import { answerOf } from "./testing";
import type { NameKind } from "./types";

/**
 * What is said of names as people write them, one pair or more for each way in which names differ. Every
 * answer was read when it was recorded: class, marks and sentences. A row that changes is to be read again first.
 */
test.each(rows)("what is said of $submitted and $held has not changed", ({ submitted, held, kind, answer }) => {
  expect(answerOf(submitted, held, (kind ?? undefined) as NameKind | undefined)).toBe(answer);
});
