import { auditLogs, payees, verifications } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { addPayee } from "~/modules/payees/add-payee.server";
import { editPayee } from "~/modules/payees/edit-payee.server";
import * as verificationPage from "~/routes/_app+/verifications.$id";
import type { Actor } from "~/services-and-actor";
import { anAddedPayee, details, peek, readPayee, refusal } from "../../../../tests/support/payees";
import { routeArgs } from "../../../../tests/support/requests";
import type { testServices } from "../../../../tests/support/services";
import { test } from "../../../../tests/support/signed-in";
import { restoreFormerDetails } from "./restore-former.server";
import { reviewVerification } from "./review.server";

/** A whitelisted payee whose bank details changed: the verification of the new ones is pending. */
async function aChangedPayee(services: ReturnType<typeof testServices>, actor: Actor, { trusted = true } = {}) {
  const added = await anAddedPayee(services, actor);
  if (trusted) {
    const review = { approved: true, addToGlobalWhitelist: true, reason: "Known for years" } as const;
    await reviewVerification(services, actor, { verificationId: added.verificationId, review });
  }
  const before = await readPayee(added.payeeId);
  services.clock.advance(DAY_MS);
  await editPayee(services, actor, { payeeId: added.payeeId, patch: { bsb: "033001" } });
  return { ...added, before, verificationId: await pendingOf(added.payeeId) };
}

async function pendingOf(payeeId: string): Promise<string> {
  const [row] = await peek
    .select({ id: verifications.id })
    .from(verifications)
    .where(and(eq(verifications.payeeId, payeeId), eq(verifications.status, "pending")));
  return row?.id ?? "";
}

const reason = "Invoice fraud";

test("a rejection can put the former details back, and the payee is as trusted as it was", async ({
  services,
  actor,
}) => {
  const { payeeId, verificationId, before } = await aChangedPayee(services, actor);
  const { view } = await verificationPage.loader(await routeArgs(services, actor, "/", { id: verificationId }));
  expect(view.former?.hint).toContain("062-000");
  expect(view.former?.hint).not.toContain(before.accountNumber);
  const decided = await restoreFormerDetails(services, actor, { verificationId, reason });
  expect(decided.status).toBe("rejected");
  const { version: _, updatedAt: __, ...trust } = before;
  expect(await readPayee(payeeId)).toMatchObject(trust);
  const [entry] = await peek
    .select({ details: auditLogs.details, userId: auditLogs.userId })
    .from(auditLogs)
    .where(and(eq(auditLogs.entityId, payeeId), eq(auditLogs.action, "payee.details_restored")));
  expect(entry?.userId).toBe(actor.userId);
  expect(JSON.stringify(entry?.details)).not.toContain(before.accountNumber);
});

test("two changes before a decision lead back to the details that were trusted", async ({ services, actor }) => {
  const { payeeId, before } = await aChangedPayee(services, actor);
  await editPayee(services, actor, { payeeId, patch: { accountName: "Somebody Else" } });
  await restoreFormerDetails(services, actor, { verificationId: await pendingOf(payeeId), reason });
  expect(await readPayee(payeeId)).toMatchObject({ accountName: before.accountName, whitelisted: true });
});

test("a payee that was never trusted has nothing to restore, and a plain rejection forgets the former details", async ({
  services,
  actor,
}) => {
  const never = await aChangedPayee(services, actor, { trusted: false });
  const refused = await refusal(
    restoreFormerDetails(services, actor, { verificationId: never.verificationId, reason }),
  );
  expect(refused).toMatchObject({ code: "NOTHING_TO_RESTORE", status: 409 });
  const plain = await aChangedPayee(services, actor);
  const review = { approved: false, reason: "Manual rejection" } as const;
  await reviewVerification(services, actor, { verificationId: plain.verificationId, review });
  expect(await readPayee(plain.payeeId)).toMatchObject({ whitelisted: false, bsb: "033001", formerTrust: null });
});

test("former details that another payee has by now cannot be restored, and nothing is decided", async ({
  services,
  actor,
}) => {
  const { payeeId, verificationId, before } = await aChangedPayee(services, actor);
  const { bsb, accountNumber } = before;
  await addPayee(services, actor, { details: details({ bsb, accountNumber, name: "Other", accountName: "Other" }) });
  const refused = await refusal(restoreFormerDetails(services, actor, { verificationId, reason }));
  expect(refused).toMatchObject({ code: "DUPLICATE_PAYEE", status: 409 });
  expect(await pendingOf(payeeId)).toBe(verificationId);
});

test("former details that another payee had in between are not restored without saying how they were confirmed", async ({
  services,
  actor,
}) => {
  const { payeeId, verificationId, before } = await aChangedPayee(services, actor);
  const { bsb, accountNumber } = before;
  const other = details({ bsb, accountNumber, name: "Other", accountName: "Other" });
  const added = await addPayee(services, actor, { details: other });
  services.clock.advance(DAY_MS);
  await editPayee(services, actor, { payeeId: added.payeeId, patch: { accountNumber: "55667788" } });
  const { view } = await verificationPage.loader(await routeArgs(services, actor, "/", { id: verificationId }));
  expect(view.former?.hint).toContain("the account was another payee's before");
  const refused = await refusal(restoreFormerDetails(services, actor, { verificationId, reason: "Manual rejection" }));
  expect(refused).toMatchObject({ code: "REASON_REQUIRED", status: 409, extra: { flags: ["former_account"] } });
  expect(await readPayee(payeeId)).toMatchObject({ bsb: "033001", whitelisted: false });
  await restoreFormerDetails(services, actor, { verificationId, reason: "Called the number in the contract" });
  expect(await readPayee(payeeId)).toMatchObject({ bsb, accountNumber, whitelisted: true });
});

test("an approval of the new details ends the offer", async ({ services, actor }) => {
  const { payeeId, verificationId } = await aChangedPayee(services, actor);
  const review = { approved: true, addToGlobalWhitelist: false, reason: "Called them" } as const;
  await reviewVerification(services, actor, { verificationId, review });
  const [row] = await peek.select({ former: payees.formerTrust }).from(payees).where(eq(payees.id, payeeId));
  expect(row?.former).toBeNull();
});
