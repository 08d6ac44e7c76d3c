import { organizations, verifications } from "@db/database";
import { eq } from "drizzle-orm";
import { expect } from "vitest";
import { aMember } from "../../../tests/support/factories";
import { losingConnection } from "../../../tests/support/lost-connections";
import { anAddedPayee, peek, refusal } from "../../../tests/support/payees";
import { testServices } from "../../../tests/support/services";
import { test } from "../../../tests/support/signed-in";
import { startVerification } from "./open-verification.server";

const end = (verificationId: string, status: "rejected" | "failed" | "verified") =>
  peek.update(verifications).set({ status }).where(eq(verifications.id, verificationId));
const ofPayee = (payeeId: string) => peek.select().from(verifications).where(eq(verifications.payeeId, payeeId));

test.each(["rejected", "failed", "verified"] as const)(
  "a payee whose verification is %s can get a new one",
  async (status) => {
    const services = testServices();
    const actor = await aMember(services);
    const { payeeId, verificationId } = await anAddedPayee(services, actor);
    await end(verificationId, status);
    const started = await startVerification(services, actor, payeeId);
    expect(started.verificationId).not.toBe(verificationId);
    const opened = (await ofPayee(payeeId)).find((row) => row.id === started.verificationId);
    expect(opened).toMatchObject({ status: "pending", requestedById: actor.userId });
  },
);

test("while one is pending another is refused, naming the one that waits", async ({ services, actor }) => {
  const { payeeId, verificationId } = await anAddedPayee(services, actor);
  const error = await refusal(startVerification(services, actor, payeeId));
  expect(error).toMatchObject({ code: "VERIFICATION_PENDING", status: 409, extra: { verificationId } });
});

test("of two people who start one at once exactly one does", async ({ services, actor }) => {
  const { payeeId, verificationId } = await anAddedPayee(services, actor);
  await end(verificationId, "rejected");
  const results = await Promise.allSettled([1, 2, 3].map(() => startVerification(services, actor, payeeId)));
  expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
  for (const result of results) {
    if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "VERIFICATION_PENDING" });
  }
  expect(await ofPayee(payeeId)).toHaveLength(2);
});

test.each(["before", "after"] as const)("a connection lost %s the commit opens exactly one", async (when) => {
  const services = testServices();
  const actor = await aMember(services);
  const { payeeId, verificationId } = await anAddedPayee(services, actor);
  await end(verificationId, "failed");
  services.db = losingConnection(services.db, when);
  await startVerification(services, actor, payeeId);
  expect(await ofPayee(payeeId)).toHaveLength(2);
});

test("the same key is answered with the verification it opened, also at once; another payee under it is refused", async ({
  services,
  actor,
}) => {
  const { payeeId, verificationId } = await anAddedPayee(services, actor);
  const other = await anAddedPayee(services, actor);
  await end(verificationId, "rejected");
  const answers = await Promise.all([1, 2, 3].map(() => startVerification(services, actor, payeeId, "key-1")));
  expect(await startVerification(services, actor, payeeId, "key-1")).toEqual(answers[0]);
  expect(new Set(answers.map((answer) => answer.verificationId)).size).toBe(1);
  expect(await ofPayee(payeeId)).toHaveLength(2);
  const error = await refusal(startVerification(services, actor, other.payeeId, "key-1"));
  expect(error.code).toBe("IDEMPOTENCY_CONFLICT");
});

test("without a live subscription none is started", async ({ services, actor }) => {
  const { payeeId, verificationId } = await anAddedPayee(services, actor);
  await end(verificationId, "rejected");
  await peek.update(organizations).set({ trialEndsAt: 0 }).where(eq(organizations.id, actor.organizationId));
  const error = await refusal(startVerification(services, actor, payeeId));
  expect(error).toMatchObject({ code: "SUBSCRIPTION_REQUIRED", status: 402 });
});

test("another organisation's payee cannot be verified", async () => {
  const services = testServices();
  const [owner, stranger] = [await aMember(services), await aMember(services)];
  const { payeeId } = await anAddedPayee(services, owner);
  expect(await refusal(startVerification(services, stranger, payeeId))).toMatchObject({
    code: "NOT_FOUND",
    status: 404,
  });
});
