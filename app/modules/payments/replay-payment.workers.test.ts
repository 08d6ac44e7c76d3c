import { decisionRecords, paymentRecords } from "@db/schema";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { aMember } from "../../../tests/support/factories";
import { anAddedPayee, peek } from "../../../tests/support/payees";
import { aPayment } from "../../../tests/support/payments";
import { testServices } from "../../../tests/support/services";
import { replayPayment } from "./replay-payment.server";

async function aHeldPayment() {
  const services = testServices();
  const actor = await aMember(services);
  const { payeeId } = await anAddedPayee(services, actor);
  const { id } = await aPayment(services, actor, payeeId);
  return { services, actor, payeeId, id };
}

test("the decision of a payment comes out the same, whatever has become of the payee since", async () => {
  const { services, actor, payeeId, id } = await aHeldPayment();
  await editPayee(services, actor, { payeeId, patch: { accountNumber: "87654321" } });
  services.clock.advance(400 * 86_400_000);
  expect(await replayPayment(services, actor, id)).toEqual({ isKept: true, different: [], changedRules: [] });
});

test("reasons that were altered afterwards are found", async () => {
  const { services, actor, id } = await aHeldPayment();
  await peek.update(paymentRecords).set({ reasons: [] }).where(eq(paymentRecords.id, id));
  expect(await replayPayment(services, actor, id)).toMatchObject({ isKept: true, different: ["payee_not_trusted"] });
});

test("a payment whose facts were not kept says so", async () => {
  const { services, actor, id } = await aHeldPayment();
  await peek.delete(decisionRecords).where(eq(decisionRecords.paymentId, id));
  expect(await replayPayment(services, actor, id)).toEqual({ isKept: false, different: [], changedRules: [] });
});
