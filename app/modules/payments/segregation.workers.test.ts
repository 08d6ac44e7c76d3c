import { organizationPolicies } from "@db/database";
import { expect, test } from "vitest";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { whitelistByHand } from "~/modules/payees/whitelist-by-hand.server";
import { reviewVerification } from "~/modules/verifying/review/review.server";
import type { Actor, Services } from "~/services-and-actor";
import { aMember } from "../../../tests/support/factories";
import { aColleague, anAddedPayee, peek, refusal } from "../../../tests/support/payees";
import { aPayment } from "../../../tests/support/payments";
import { testServices } from "../../../tests/support/services";
import { NO_LIMITS } from "./approval-limits.server";
import { findApprovers } from "./approvers.server";
import { decidePayment } from "./decide-payment.server";
import { findApproval, getPayment } from "./payment.server";

/** An organisation that requires a second person, with three people and a payee that the first of them added. */
async function aCarefulOrganisation() {
  const services = testServices();
  const creator = await aMember(services);
  const [thief, colleague] = [await aColleague(services, creator), await aColleague(services, creator)];
  const policy = { organizationId: creator.organizationId, updatedAt: services.clock.now() };
  await peek.insert(organizationPolicies).values({ ...policy, secondPersonRequired: true });
  return { services, creator, thief, colleague, ...(await anAddedPayee(services, creator)) };
}

const approve = (services: Services, actor: Actor, paymentId: string) =>
  decidePayment(services, actor, { paymentId, decision: "approve", reason: "Looks right" });

test("enter new bank details, let a colleague record the payment, approve it oneself: refused", async () => {
  const { services, thief, colleague, creator, payeeId } = await aCarefulOrganisation();
  await editPayee(services, thief, { payeeId, patch: { accountNumber: "98765432" } });
  const { id } = await aPayment(services, colleague, payeeId);
  expect(await refusal(approve(services, thief, id))).toMatchObject({ code: "SECOND_PERSON_REQUIRED", status: 403 });
  expect(await refusal(approve(services, colleague, id))).toMatchObject({ code: "SECOND_PERSON_REQUIRED" });
  const somebodyElse = await aColleague(services, creator);
  expect((await approve(services, somebodyElse, id)).status).toBe("authorised");
});

test("wait for a colleague's trivial edit of the name, then approve the payment to one's own account: refused", async () => {
  const { services, thief, colleague, payeeId } = await aCarefulOrganisation();
  await editPayee(services, thief, { payeeId, patch: { accountNumber: "98765432" } });
  await editPayee(services, colleague, { payeeId, patch: { accountName: "Wattle Creek Electrical P/L" } });
  const { id } = await aPayment(services, colleague, payeeId);
  expect(await refusal(approve(services, thief, id))).toMatchObject({ code: "SECOND_PERSON_REQUIRED" });
  const byHand = whitelistByHand(services, thief, { payeeId, reason: "Known for years" });
  expect(await refusal(byHand)).toMatchObject({ code: "SECOND_PERSON_REQUIRED" });
});

test("ask for the verification and approve the payment that waited for it: refused", async () => {
  const { services, thief, colleague, creator, payeeId, verificationId } = await aCarefulOrganisation();
  const reviewer = await aColleague(services, creator);
  await reviewVerification(services, reviewer, {
    verificationId,
    review: { approved: false, reason: "Cannot reach them" },
  });
  const { id } = await aPayment(services, colleague, payeeId);
  await decidePayment(services, thief, { paymentId: id, decision: "request_verification", reason: null });
  const { latest } = await getPayment(services, thief, id);
  await reviewVerification(services, reviewer, {
    verificationId: latest?.id ?? "",
    review: { approved: true, addToGlobalWhitelist: false },
  });
  expect(await refusal(approve(services, thief, id))).toMatchObject({ code: "SECOND_PERSON_REQUIRED" });
  expect((await approve(services, reviewer, id)).status).toBe("authorised");
});

test("a person whose own work it is reads who may approve instead", async () => {
  const { services, thief, colleague, creator, payeeId } = await aCarefulOrganisation();
  await editPayee(services, thief, { payeeId, patch: { accountNumber: "98765432" } });
  const payment = await aPayment(services, colleague, payeeId);
  const approval = await findApproval(services, thief, await getPayment(services, thief, payment.id));
  const asked = { bar: "second_person_required" as const, approval, limits: NO_LIMITS, amount: payment.amount };
  // The first person's BSB and account name are still in use, so the details are the work of all three.
  expect(await findApprovers(services, thief, asked)).toContain("No one else in your organisation");
  const other = await aColleague(services, creator);
  expect(await findApprovers(services, thief, asked)).toBe(`${other.firstName} ${other.lastName} may approve it.`);
  expect(await findApprovers(services, thief, { ...asked, bar: "account_changed" })).toBeNull();
});
