import fc from "fast-check";
import { expect, test } from "vitest";
import { listLineDecisions } from "~/modules/payments/replay.server";
import { aMember } from "../../../../tests/support/factories";
import { details } from "../../../../tests/support/payees";
import { anUploadedFile, linesOf } from "../../../../tests/support/payment-files";
import { aTrustedPayee } from "../../../../tests/support/payments";
import { testServices } from "../../../../tests/support/services";
import { insertLines } from "./payment-file.server";

const text = (maxLength: number) =>
  fc.oneof(
    fc.constantFrom("", "0", 'O\'Brien "& Sons"', "Café Šárka", "木村 🏗 Pty", "a\\b", "[1,2]", "null", "  two blanks"),
    fc.string({ unit: "grapheme", maxLength }),
  );
// Trimmed, because readers never return names with blanks at the ends.
const name = text(140).map((given) => given.trim() || "Wattle");

test("lines are read as they were written, whatever their names and references hold", async () => {
  const services = testServices();
  const actor = await aMember(services);
  const { details: account, payeeId } = await aTrustedPayee(services, actor);
  const { fileId } = await anUploadedFile(services, actor, [account, details()]);
  const [trusted, held] = await linesOf(fileId);
  const owner = { organizationId: actor.organizationId, fileId };
  const [decision] = await listLineDecisions(services, owner, { firstLine: 2, lastLine: 2 });
  if (!trusted || !held || !decision) throw new Error("no lines");
  const line = fc.record({
    accountName: name,
    reference: text(300),
    bsb: fc.stringMatching(/^\d{6}$/),
    accountNumber: fc.stringMatching(/^\d{4,9}$/),
    amount: fc.integer({ min: 1, max: 99_999_999_999 }),
    payeeId: fc.constantFrom(null, payeeId),
    reasons: fc.constantFrom([], held.reasons),
  });
  const given = fc.sample(line, 600).map((each, index) => ({
    ...each,
    line: index + 10,
    newDetails: false,
    facts: decision.readFacts(),
  }));
  const ruleSetId = "of no matter";
  const [first, ...others] = insertLines(services, { ...owner, ruleSetId }, given);
  if (!first) throw new Error("nothing to write");
  await services.db.batch([first, ...others]);
  const written = (await linesOf(fileId)).slice(2);
  expect(written).toHaveLength(given.length);
  for (const [index, { facts: _facts, newDetails: _new, ...each }] of given.entries()) {
    const status = each.reasons.length > 0 ? "held" : "authorised";
    expect(written[index]).toMatchObject({ ...each, status, facts: null, paymentId: null, decidedById: null });
  }
});
