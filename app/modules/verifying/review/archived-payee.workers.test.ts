import { verifications } from "@db/database";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { routeOf } from "~/api/calls.server";
import type { FormAnswer } from "~/components/forms/form";
import { archivePayee, restorePayee } from "~/modules/payees/archive-payee.server";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { findPendingVerification } from "~/modules/payees/payee.server";
import { action as reviewAction, loader as reviewPage } from "~/routes/_app+/verifications.$id";
import type { Actor } from "~/services-and-actor";
import { aMember } from "../../../../tests/support/factories";
import { interrupted, peek, readPayee, refusal } from "../../../../tests/support/payees";
import { aTrustedPayee } from "../../../../tests/support/payments";
import { routeArgs } from "../../../../tests/support/requests";
import { type TestServices, testServices } from "../../../../tests/support/services";
import { changePayee } from "../../../../tests/support/verifications";
import { reviewVerification } from "./review.server";

const { action: reviewByApi } = routeOf("/api/verifications/{id}/review");

/** Approving a verification does not whitelist an archived payee. */

const SAYS = "This payee is archived, so its bank details cannot be approved. Restore the payee first, or reject them.";
const APPROVE = { approved: true, addToGlobalWhitelist: false, reason: "Called them" } as const;

async function anArchivedPayee() {
  const services = testServices();
  const actor = await aMember(services);
  const { payeeId } = await aTrustedPayee(services, actor);
  await archivePayee(services, actor, payeeId);
  await editPayee(services, actor, { payeeId, patch: { bsb: "033001", accountNumber: String(accounts++) } });
  const verificationId = (await findPendingVerification(services, actor, payeeId)) ?? "";
  return { services, actor, payeeId, verificationId };
}

let accounts = 57_000_000;

const statusOf = async (id: string) => {
  const [row] = await peek.select({ status: verifications.status }).from(verifications).where(eq(verifications.id, id));
  return row?.status;
};

const viewOf = async (services: TestServices, actor: Actor, id: string) =>
  (await reviewPage(await routeArgs(services, actor, "/", { id }))).view;

test("by page and API an archived payee is not approved, and the page says so before the form", async () => {
  const { services, actor, payeeId, verificationId: id } = await anArchivedPayee();
  expect((await viewOf(services, actor, id)).approving.bar).toEqual({ title: "The payee is archived", text: SAYS });
  const form = { intent: "approve", reason: "Called them" };
  const posted = (await reviewAction(await routeArgs(services, actor, "/", { id }, { form }))) as {
    data: FormAnswer;
    init: { status: number };
  };
  expect(posted.init.status).toBe(409);
  expect(JSON.stringify(posted.data)).toContain(SAYS);
  const asked = { method: "POST", json: APPROVE };
  const answer = (await reviewByApi(await routeArgs(services, actor, "/", { id }, asked))) as Response;
  expect(answer.status).toBe(409);
  expect(await answer.json()).toMatchObject({ code: "PAYEE_ARCHIVED" });
  expect(await readPayee(payeeId)).toMatchObject({ whitelisted: false });
  expect(await statusOf(id)).toBe("pending");
});

test("an archived payee's verification can be rejected, and approved once the payee is back in use", async () => {
  const one = await anArchivedPayee();
  const reject = { approved: false, reason: "Manual rejection" } as const;
  await reviewVerification(one.services, one.actor, { verificationId: one.verificationId, review: reject });
  expect(await statusOf(one.verificationId)).toBe("rejected");
  const other = await anArchivedPayee();
  await restorePayee(other.services, other.actor, other.payeeId);
  await reviewVerification(other.services, other.actor, { verificationId: other.verificationId, review: APPROVE });
  expect(await readPayee(other.payeeId)).toMatchObject({ whitelisted: true });
});

test("attack: archived in the moment in which it is approved, it is not put on the whitelist", async () => {
  const { services, actor, payeeId, verificationId } = await anArchivedPayee();
  await restorePayee(services, actor, payeeId);
  const ids = { organizationId: actor.organizationId, payeeId, verificationId };
  const archive = () => changePayee(services, ids, { archivedAt: services.clock.now() });
  const late = { ...services, db: interrupted(services.db, archive) };
  const error = await refusal(reviewVerification(late, actor, { verificationId, review: APPROVE }));
  expect(error.status).toBe(409);
  expect(await readPayee(payeeId)).toMatchObject({ whitelisted: false });
});
