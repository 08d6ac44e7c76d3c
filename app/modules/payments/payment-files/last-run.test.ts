import { expect, test } from "vitest";
import { compareRuns } from "./payment-file.server";

const paid = (payeeId: string, cents: number) => ({ payeeId, name: payeeId, cents });

test("a run says which payees are new, get more than twice as much, and are missing, the largest amount first", () => {
  const before = [paid("same", 100), paid("twice", 100), paid("more", 100), paid("gone", 50), paid("gone too", 70)];
  const now = [paid("same", 100), paid("twice", 200), paid("more", 201), paid("new", 10), paid("new too", 20)];
  expect(compareRuns(now, before)).toEqual({
    added: [paid("new too", 20), paid("new", 10)],
    jumped: [{ ...paid("more", 201), beforeCents: 100 }],
    missing: [paid("gone too", 70), paid("gone", 50)],
  });
});
