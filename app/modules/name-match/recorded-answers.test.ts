import { expect, test } from "vitest";
import { answerOf } from "../../../tests/support/names";
import rows from "./recorded-answers.json";
import type { NameKind } from "./types";

/**
 * The answers for names as people write them, with at least one pair for each way in which names differ. A person read
 * every answer when it was recorded: class, marks and sentences. Before accepting a changed row, read it again.
 */
test.each(rows)("what is said of $submitted and $held has not changed", ({ submitted, held, kind, answer }) => {
  expect(answerOf(submitted, held, (kind ?? undefined) as NameKind | undefined)).toBe(answer);
});
