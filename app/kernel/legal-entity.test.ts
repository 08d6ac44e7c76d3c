import { expect, test } from "vitest";
import { describeLegalEntity } from "./legal-entity";

test.each([
  [{ name: "Example Pty Ltd", abn: "53004085616" }, "PayeeProof is operated by Example Pty Ltd, ABN 53 004 085 616."],
  [{ name: "Example Pty Ltd" }, "PayeeProof is operated by Example Pty Ltd."],
  [{ abn: "53004085616" }, null],
  [{}, null],
])("%o reads %s", (entity, sentence) => {
  expect(describeLegalEntity(entity)).toBe(sentence);
});
