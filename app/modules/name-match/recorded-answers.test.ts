import { expect, test } from "vitest";
import rows from "./recorded-answers.json";
import { answerOf } from "./testing";
import type { NameKind } from "./types";

/**
 * What is said of names as people write them, one pair or more for each way in which names differ. Every
 * answer was read when it was recorded: class, marks and sentences. A row that changes is to be read again first.
 */
test("what is said of the recorded pairs has not changed", () => {
  const now = rows.map(({ submitted, held, kind }) => ({
    submitted,
    held,
    kind,
    answer: answerOf(submitted, held, (kind ?? undefined) as NameKind | undefined),
  }));
  expect(now).toEqual(rows);
});
