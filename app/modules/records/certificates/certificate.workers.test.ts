import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { PDFDocument } from "pdf-lib";
import { expect } from "vitest";
import { routeOf } from "~/api/calls.server";
import { recordCall } from "~/modules/verifying/call-backs/call-back.server";
import { reviewVerification } from "~/modules/verifying/review/review.server";
import * as page from "~/routes/_app+/verifications.$id_.certificate";
import * as form from "~/routes/_payee+/certificates._index";
import * as byId from "~/routes/_payee+/certificates.$id";
import type { Actor } from "~/services-and-actor";
import { aMember } from "../../../../tests/support/factories";
import { aColleague } from "../../../../tests/support/payees";
import { routeArgs } from "../../../../tests/support/requests";
import { type TestServices, testServices } from "../../../../tests/support/services";
import { test } from "../../../../tests/support/signed-in";
import { aPendingVerification, NO_EVIDENCE } from "../../../../tests/support/verifications";
import { certificateText, toCertificateView } from "./certificate";
import { findGenuine, issueCertificate, showCertificate } from "./certificate.server";

const json = routeOf("/api/verifications/{id}/certificate");
const pdf = routeOf("/api/verifications/{id}/certificate.pdf");

async function aDecidedVerification(services: TestServices, actor: Actor, name = "Riverbend Timber") {
  const { verificationId } = await aPendingVerification(services, actor, { payee: { name } });
  const call = { number: "+61293744000", source: "website", outcome: "confirmed" } as const;
  await recordCall(services, await aColleague(services, actor), { verificationId, call });
  await reviewVerification(services, actor, {
    verificationId,
    review: { approved: true, reason: "Called", addToGlobalWhitelist: false },
  });
  return verificationId;
}

test("a certificate is issued once, states the decision and its call-backs, and never changes", async ({
  services,
  actor,
}) => {
  const id = await aDecidedVerification(services, actor);
  const [certificate, again] = await Promise.all([
    issueCertificate(services, actor, id),
    issueCertificate(services, actor, id),
  ]);
  expect(again).toEqual(certificate);
  const { facts, hash } = certificate;
  expect(facts).toMatchObject({
    id,
    organization: { id: actor.organizationId },
    payee: { name: "Riverbend Timber", bsb: "062-000", accountNumber: expect.stringMatching(/^•{5}\d{3}$/) },
    callBacks: [{ by: "Mira Okafor", outcome: "confirmed", countsAsProof: true }],
    format: "payeeproof-certificate-3",
    result: { beside: null },
    decision: {
      ...{ status: "verified", by: "Mira Okafor", reason: "Called" },
      grade: { name: "call_back", text: "Called back, no bank was asked" },
    },
  });
  expect(createHash("sha256").update(certificateText(facts)).digest("hex")).toBe(hash);
  const renamed = { ...actor, organizationName: "Another name" };
  expect(await issueCertificate(services, renamed, id)).toEqual(certificate);
  const { DB } = env as unknown as { DB: D1Database };
  for (const statement of ["UPDATE certificates SET hash = 'x' WHERE id = ?", "DELETE FROM certificates WHERE id = ?"])
    await expect(DB.prepare(statement).bind(id).run()).rejects.toThrow("never changes");
});

test.each([
  ["approved", { approved: true, reason: "Called", addToGlobalWhitelist: false }],
  ["rejected", { approved: false, reason: "Manual rejection" }],
] as const)(
  "a bank confirms the name on another payee's former account: the certificate of what was %s says both",
  async (_, review) => {
    const services = testServices();
    const actor = await aMember(services);
    const { verificationId } = await aPendingVerification(services, actor, {
      checked: { outcome: "match", nameMatchScore: 100, matchType: "exact" },
      evidence: {
        ...NO_EVIDENCE,
        formerHolders: [{ payeeId: "p", name: "Galah Glazing", until: "2026-11-01T00:00:00.000Z", isArchived: false }],
      },
    });
    await reviewVerification(services, actor, { verificationId, review });
    const certificate = await issueCertificate(services, actor, verificationId);
    expect(certificate.facts.result.beside).toEqual({
      headline: "Another payee's former account",
      why: "The account was another payee's before.",
    });
    const result = toCertificateView(certificate, "").sections.find(({ title }) => title === "Result");
    expect(result?.rows[0]).toEqual({
      term: "Decided under",
      value: "Another payee's former account. The account was another payee's before.",
    });
  },
);

test("a verification that waits for its decision has no certificate, and another organisation's is not found", async () => {
  const services = testServices();
  const [actor, other] = [await aMember(services), await aMember(services)];
  const { verificationId } = await aPendingVerification(services, actor);
  await expect(issueCertificate(services, actor, verificationId)).rejects.toMatchObject({ code: "NOT_DECIDED" });
  const decided = await aDecidedVerification(services, actor);
  await expect(issueCertificate(services, other, decided)).rejects.toMatchObject({ status: 404 });
  await issueCertificate(services, actor, decided);
  await expect(issueCertificate(services, other, decided)).rejects.toMatchObject({ status: 404 });
});

test("the public page knows the pair of id and hash, and answers everything else alike", async ({
  services,
  actor,
}) => {
  const certificate = await issueCertificate(services, actor, await aDecidedVerification(services, actor));
  const { id, hash } = certificate;
  const ask = async (given: { id: string; hash: string }) => {
    const path = `/certificates/${given.id}?hash=${given.hash}`;
    const { data, init } = await byId.loader(await routeArgs(services, null, path, { id: given.id }));
    const { state, stated, seal } = data;
    return { status: init?.status, state, stated, seal, keys: Object.keys(data).sort() };
  };
  const keys = ["errors", "hash", "id", "seal", "state", "stated"];
  const stated = "verified: called back, no bank was asked";
  const { seal } = showCertificate(certificate, services.config.appOrigin);
  expect(await ask({ id, hash })).toEqual({ status: 200, state: "genuine", stated, seal, keys });
  const unknown = { status: 404, state: "unknown", stated: null, seal: null, keys };
  expect(await ask({ id, hash: hash.replace(/^./, (first) => (first === "0" ? "1" : "0")) })).toEqual(unknown);
  expect(await ask({ id: services.ids.next(), hash })).toEqual(unknown);
  const typed = new URLSearchParams({ id: ` ${id.toUpperCase()} `, hash: `${hash.slice(0, 32)} ${hash.slice(32)}` });
  const answer = await form.loader(await routeArgs(services, null, `/certificates?${typed}`));
  expect(answer.data.state).toBe("genuine");
  const bad = await form.loader(await routeArgs(services, null, "/certificates?id=1&hash=2"));
  expect(bad).toMatchObject({ init: { status: 400 }, data: { state: "asking", errors: { id: [/36/], hash: [/64/] } } });
});

test("a record whose facts were changed in the database is not confirmed", async ({ services, actor }) => {
  const { id, hash } = await issueCertificate(services, actor, await aDecidedVerification(services, actor));
  const { DB } = env as unknown as { DB: D1Database };
  const trigger = await DB.prepare("SELECT sql FROM sqlite_master WHERE name = 'certificates_no_update'").first<{
    sql: string;
  }>();
  await DB.batch([
    DB.prepare("DROP TRIGGER certificates_no_update"),
    DB.prepare("UPDATE certificates SET facts = replace(facts, '062-000', '082-000') WHERE id = ?").bind(id),
    DB.prepare(trigger?.sql ?? ""),
  ]);
  expect(await findGenuine(services, { id, hash })).toBeUndefined();
});

test("the public check is limited by address", async () => {
  const services = testServices();
  const path = `/certificates/${services.ids.next()}?hash=${"0".repeat(64)}`;
  const ask = async () => {
    const args = await routeArgs(services, null, path, { id: services.ids.next() });
    args.context.origin = { ...args.context.origin, ipAddress: "203.0.113.199" };
    return byId.loader(args);
  };
  for (let tries = 0; tries < 30; tries++) expect((await ask()).data.state).toBe("unknown");
  await expect(ask()).rejects.toMatchObject({ init: { status: 429 } });
});

test("the PDF is answered as one, and is the same each time", async ({ services, actor }) => {
  const id = await aDecidedVerification(services, actor);
  const get = async () =>
    pdf.loader(await routeArgs(services, actor, `/api/verifications/${id}/certificate.pdf`, { id }));
  const [first, second] = [await get(), await get()];
  expect(first.headers.get("Content-Type")).toBe("application/pdf");
  expect(first.headers.get("Content-Disposition")).toContain(`certificate-${id}.pdf`);
  expect(await second.text()).toBe(await first.text());
});

test("the page, the PDF and the API head a certificate by how the details were verified", async ({
  services,
  actor,
}) => {
  const decide = async (name: string, review: { approved: true; reason?: string } | { approved: false }) => {
    const { verificationId: id } = await aPendingVerification(services, actor, { payee: { name } });
    const full = review.approved
      ? { ...review, addToGlobalWhitelist: false }
      : { ...review, reason: "Manual rejection" };
    await reviewVerification(services, actor, { verificationId: id, review: full });
    return id;
  };
  const titlesOf = async (id: string) => {
    const read = (path: string) => routeArgs(services, actor, path, { id });
    const shown = await page.loader(await read(`/verifications/${id}/certificate`));
    const asJson = await json.loader(await read(`/api/verifications/${id}/certificate`));
    const asPdf = await pdf.loader(await read(`/api/verifications/${id}/certificate.pdf`));
    const { certificate } = (await asJson.json()) as { certificate: { title: string } };
    const document = await PDFDocument.load(await asPdf.arrayBuffer());
    return [shown.title, certificate.title, document.getTitle()];
  };
  const approved = await decide("Riverbend Timber", { approved: true });
  const title = "Certificate: Riverbend Timber, verified: approved by a person, no bank was asked";
  expect(await titlesOf(approved)).toEqual([title, title, title]);
  const rejected = await decide("Acme Joinery", { approved: false });
  expect(await titlesOf(rejected)).toEqual(Array(3).fill("Certificate: Acme Joinery, rejected"));
});
