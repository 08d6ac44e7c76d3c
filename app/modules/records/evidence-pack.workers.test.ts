import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { routeOf } from "~/api/calls.server";
import { canonicalJson } from "~/kernel/encodings";
import { issueCertificate } from "~/modules/records/certificates/certificate.server";
import { reviewVerification } from "~/modules/verifying/review/review.server";
import type { Actor } from "~/services-and-actor";
import { aMember, anOrganization, recordAudit } from "../../../tests/support/factories";
import { aPayment } from "../../../tests/support/payments";
import { routeArgs } from "../../../tests/support/requests";
import { type TestServices, testServices } from "../../../tests/support/services";
import { aPendingVerification } from "../../../tests/support/verifications";
import type { EvidencePack } from "./evidence-pack.server";

const ofPayee = routeOf("/api/payees/{id}/evidence");
const onPaper = routeOf("/api/payees/{id}/evidence.pdf");
const ofPayment = routeOf("/api/payments/{id}/evidence");

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

async function aReviewedPayee(services: TestServices, actor: Actor) {
  const { payeeId, verificationId } = await aPendingVerification(services, actor);
  await reviewVerification(services, actor, { verificationId, review: { approved: false, reason: "Not theirs" } });
  await issueCertificate(services, actor, verificationId);
  return payeeId;
}

async function packOf(route: typeof ofPayee, services: TestServices, actor: Actor, id: string) {
  const response = await route.loader(await routeArgs(services, actor, "/api/evidence", { id }));
  return { status: response.status, pack: (await response.json()) as EvidencePack };
}

test("a payee's pack has its entries and those of its verifications, sealed, and its certificates", async () => {
  const services = testServices();
  const actor = await aMember(services, { role: "admin" });
  const id = await aReviewedPayee(services, actor);
  await aReviewedPayee(services, actor);
  const { pack } = await packOf(ofPayee, services, actor, id);
  expect(pack.entries.map(({ entry }) => entry.action)).toEqual([
    "verification.rejected",
    "verification.certificate_issued",
  ]);
  expect(pack.certificates).toHaveLength(1);
  expect(pack.isComplete).toBe(true);
  const { hash, ...rest } = pack;
  expect(sha256(canonicalJson(rest))).toBe(hash);
  for (const { entry, prevHash, hash: seal } of pack.entries) {
    expect(sha256(`${prevHash}\n${canonicalJson(entry)}`)).toBe(seal);
  }
});

test("a payment's pack has the payment's entries and its payee's", async () => {
  const services = testServices();
  const actor = await aMember(services, { role: "admin" });
  const payeeId = await aReviewedPayee(services, actor);
  const payment = await aPayment(services, actor, payeeId);
  const { pack } = await packOf(ofPayment, services, actor, payment.id);
  const things = new Set(pack.entries.map(({ entry }) => entry.entityType));
  expect([...things]).toContain("payment");
  expect([...things]).toContain("verification");
});

test("another organisation's payee is not found, and addresses are masked for others than administrators", async () => {
  const services = testServices();
  const organization = await anOrganization(services);
  const [admin, member] = [
    await aMember(services, { organization, role: "admin" }),
    await aMember(services, { organization }),
  ];
  const id = await aReviewedPayee(services, admin);
  const details = { name: "Acme", channel: "email", to: "jo.w@outside.example" } as const;
  const sent = { action: "payee_request.sent", entityType: "payee", entityId: id, details } as const;
  await services.db.batch([recordAudit(services, admin, sent)]);
  const forMember = (await packOf(ofPayee, services, member, id)).pack;
  expect(JSON.stringify(forMember)).toContain('"to":"j•••@outside.example#');
  expect(JSON.stringify(forMember)).not.toMatch(/jo\.w@|emailSalt/);
  expect(forMember.entries.some(({ isMasked }) => isMasked)).toBe(false);
  const forAdmin = (await packOf(ofPayee, services, admin, id)).pack.entries;
  expect(forAdmin.filter(({ emailSalt }) => emailSalt !== undefined)).toMatchObject([
    { entry: { details: { to: "jo.w@outside.example" } }, isMasked: false },
  ]);
  const stranger = await aMember(services, { role: "admin" });
  expect((await packOf(ofPayee, services, stranger, id)).status).toBe(404);
});

test("a long story ends after a thousand entries and says so, on paper too", async () => {
  const services = testServices();
  const actor = await aMember(services, { role: "admin" });
  const id = await aReviewedPayee(services, actor);
  const entry = { action: "payee.archived", entityType: "payee", entityId: id } as const;
  for (let part = 0; part < 11; part++) {
    await services.db.batch(
      Array.from({ length: 100 }, () => recordAudit(services, actor, entry)) as unknown as Parameters<
        typeof services.db.batch
      >[0],
    );
  }
  const { pack } = await packOf(ofPayee, services, actor, id);
  expect(pack.entries).toHaveLength(1_000);
  expect(pack.isComplete).toBe(false);
  const paper = await onPaper.loader(await routeArgs(services, actor, "/api/evidence", { id }));
  expect(paper.headers.get("Content-Type")).toBe("application/pdf");
  expect((await paper.arrayBuffer()).byteLength).toBeLessThan(1_500_000);
});
