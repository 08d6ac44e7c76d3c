import { paymentFileLines, ruleSets } from "@db/schema";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { aMember } from "../../../../tests/support/factories";
import { anAddedPayee, details, peek } from "../../../../tests/support/payees";
import { anUploadedFile } from "../../../../tests/support/payment-files";
import { aTrustedPayee } from "../../../../tests/support/payments";
import { testServices } from "../../../../tests/support/services";
import { replayFile } from "./replay.server";

async function aJudgedFile() {
  const services = testServices();
  const actor = await aMember(services);
  const trusted = await aTrustedPayee(services, actor);
  const added = await anAddedPayee(services, actor);
  const { fileId } = await anUploadedFile(services, actor, [
    trusted.details,
    added.details,
    details({ accountName: "Imaginary Persons Unlimited" }),
  ]);
  const owner = { organizationId: actor.organizationId, fileId };
  return { services, actor, trusted, owner };
}

test("a stored decision gives the same answer, whatever has become of the payee since", async () => {
  const { services, actor, trusted, owner } = await aJudgedFile();
  await editPayee(services, actor, { payeeId: trusted.payeeId, patch: { accountNumber: "87654321" } });
  services.clock.advance(400 * 86_400_000);
  const same = { lines: 3, different: [], differentCount: 0, changedRules: [] };
  expect(await replayFile(services, owner)).toEqual(same);
});

test("a record that somebody altered is found", async () => {
  const { services, owner } = await aJudgedFile();
  await peek
    .update(paymentFileLines)
    .set({ reasons: [] })
    .where(and(eq(paymentFileLines.fileId, owner.fileId), eq(paymentFileLines.line, 4)));
  const { different, differentCount } = await replayFile(services, owner);
  expect([different, differentCount]).toEqual([[{ line: 4, rules: ["payee_not_trusted"] }], 1]);
});

test("a rule of another version is named, and its former answer stands", async () => {
  const { services, owner } = await aJudgedFile();
  const [set] = await peek.select().from(ruleSets).where(eq(ruleSets.organizationId, owner.organizationId));
  const versions = { ...set?.versions, payee_not_trusted: 0 };
  await peek.update(ruleSets).set({ versions }).where(eq(ruleSets.organizationId, owner.organizationId));
  expect(await replayFile(services, owner)).toMatchObject({ differentCount: 0, changedRules: ["payee_not_trusted"] });
});
