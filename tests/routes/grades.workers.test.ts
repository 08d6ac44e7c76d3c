import { auditLogs, organizationPolicies, verifications } from "@db/database";
import { and, desc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { routeOf } from "~/api/calls.server";
import { DAY_MS } from "~/kernel/dates";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { promoteEarnedPayees } from "~/modules/payees/whitelist/promotion.server";
import { unwhitelistByHand, whitelistByHand } from "~/modules/payees/whitelist-by-hand.server";
import { decidePayment } from "~/modules/payments/decide-payment.server";
import { recordCall } from "~/modules/verifying/call-backs/call-back.server";
import { restoreFormerDetails } from "~/modules/verifying/review/restore-former.server";
import { reviewVerification } from "~/modules/verifying/review/review.server";
import * as payeesPage from "~/routes/_app+/payees._index";
import * as payeePage from "~/routes/_app+/payees.$id";
import * as payeesFile from "~/routes/_app+/payees.export";
import * as paymentPage from "~/routes/_app+/payments.$id";
import * as newPaymentPage from "~/routes/_app+/payments.new";
import * as verificationPage from "~/routes/_app+/verifications.$id";
import * as verificationsPage from "~/routes/_app+/verifications.all";
import * as verificationsFile from "~/routes/_app+/verifications.export[.]csv";
import type { Actor } from "~/services-and-actor";
import { aMember } from "../support/factories";
import { aColleague, anAddedPayee, aVoucher, details, peek } from "../support/payees";
import { aPaidPayment, aPayment } from "../support/payments";
import { routeArgs } from "../support/requests";
import { testServices } from "../support/services";
import { changeVerification } from "../support/verifications";

const payeesCall = routeOf("/api/payees");
const payeeCall = routeOf("/api/payees/{id}");
const whitelistCall = routeOf("/api/payees/{id}/whitelist");
const outcomeCall = routeOf("/api/payments/{id}/outcome");
const verificationsCall = routeOf("/api/verifications");
const verificationCall = routeOf("/api/verifications/{id}");

/** How each way to be verified is told. The pages, the files and the API must not differ. */

type World = { services: ReturnType<typeof testServices>; actor: Actor };
type Made = { payeeId: string; verificationId: string };

async function aWorld(): Promise<World> {
  const services = testServices();
  return { services, actor: await aMember(services, { role: "admin" }) };
}

const approve = ({ services, actor }: World, verificationId: string) =>
  reviewVerification(services, actor, {
    verificationId,
    review: { approved: true, addToGlobalWhitelist: false, reason: "Compared with the contract" },
  });

/** A payee whose bank check ended as these columns say, approved by a person. */
async function anApproved(world: World, checked: Partial<typeof verifications.$inferInsert> = {}): Promise<Made> {
  const { services, actor } = world;
  const made = await anAddedPayee(services, actor);
  if (Object.keys(checked).length > 0) {
    const place = { organizationId: actor.organizationId, verificationId: made.verificationId };
    await changeVerification(services, place, checked);
  }
  await approve(world, made.verificationId);
  return made;
}

const answered = (source: "basiq" | "cop", outcome: "match" | "no_match" = "match") => ({
  ...{ method: "basiq" as const, outcome, nameMatchScore: outcome === "match" ? 100 : 20 },
  resultData: { source, accountName: "Wattle Creek Electrical Pty Ltd", checkedAt: 1 },
});

const pendingOf = async (payeeId: string) => {
  const [row] = await peek
    .select({ id: verifications.id })
    .from(verifications)
    .where(and(eq(verifications.payeeId, payeeId), eq(verifications.status, "pending")))
    .orderBy(desc(verifications.id));
  return row?.id ?? "";
};

async function pay({ services, actor }: World, payeeId: string): Promise<string> {
  const { id: paymentId, status } = await aPayment(services, actor, payeeId);
  if (status === "held") await decidePayment(services, actor, { paymentId, decision: "approve", reason: "Known" });
  return paymentId;
}

const NOTHING_APPROVED = "without an approved verification";

/** Each way, what it is called in the API, and what people read. */
const WAYS: Record<string, { make(world: World): Promise<Made>; name: string; text: string }> = {
  "a bank by consent": {
    make: (world) => anApproved(world, answered("basiq")),
    name: "bank_consent",
    text: "Confirmed by the bank, with the payee's consent",
  },
  "a bank at once": {
    make: (world) => anApproved(world, answered("cop")),
    name: "bank_instant",
    text: "Confirmed by the bank, by Confirmation of Payee",
  },
  "a call that counts": {
    async make(world) {
      const { services, actor } = world;
      const made = await anAddedPayee(services, actor);
      const { verificationId } = made;
      const call = { number: "+61293744000", source: "website", outcome: "confirmed" } as const;
      // The person who entered the details cannot vouch for them.
      await recordCall(services, await aColleague(services, actor), { verificationId, call });
      await approve(world, verificationId);
      return made;
    },
    name: "call_back",
    text: "Called back, no bank was asked",
  },
  "a person after a call that proves nothing": {
    async make(world) {
      const { services, actor } = world;
      const made = await anAddedPayee(services, actor, { phone: "+61293744001" });
      const { verificationId } = made;
      const call = { number: "+61293744001", source: "on_file", outcome: "confirmed" } as const;
      await recordCall(services, actor, { verificationId, call });
      await approve(world, verificationId);
      return made;
    },
    name: "person",
    text: "Approved by a person, no bank was asked",
  },
  "a person": { make: anApproved, name: "person", text: "Approved by a person, no bank was asked" },
  "a person against the bank": {
    make: (world) => anApproved(world, answered("basiq", "no_match")),
    name: "person",
    text: "Approved by a person, the bank did not confirm the name",
  },
  "other organisations": {
    async make({ services, actor }) {
      const { organizationId } = actor;
      await peek.insert(organizationPolicies).values({ organizationId, acceptVouching: true, updatedAt: 0 });
      const given = details();
      for (let count = 0; count < 3; count++) await aVoucher(services, given);
      return anAddedPayee(services, actor, given);
    },
    name: "vouched",
    text: "Vouched for by other organisations, no bank was asked",
  },
};

type Graded = { grade: unknown };

async function readEverywhere({ services, actor }: World, { payeeId, verificationId }: Made) {
  const get = async (path: string, params: Record<string, string> = {}) => routeArgs(services, actor, path, params);
  const text = async (file: Response) => (await file.text()).trim().split("\r\n")[1] ?? "";
  const json = async <T>(answer: Response) => (await answer.json()) as T;
  const payee = await payeePage.loader(await get("/payees/1", { id: payeeId }));
  const payees = await payeesPage.loader(await get("/payees"));
  const own = await verificationPage.loader(await get("/verifications/1", { id: verificationId }));
  const all = await verificationsPage.loader(await get("/verifications/all"));
  const chosen = await newPaymentPage.loader(await get(`/payments/new?payeeId=${payeeId}`));
  return {
    payee,
    pages: {
      payee: payee.payee.grade,
      payees: payees.rows.find(({ id }) => id === payeeId)?.grade,
      verification: own.view.grade,
      verifications: all.rows.find(({ id }) => id === verificationId)?.grade,
      newPayment: chosen.step === "payee" ? chosen.payee.grade : undefined,
    },
    files: [
      await text(await payeesFile.loader(await get("/payees/export"))),
      await text(await verificationsFile.loader(await get("/verifications/export.csv"))),
    ],
    api: {
      payee: await json<{ payee: Graded; latestVerification: Graded }>(
        await payeeCall.loader(await get("/api/payees/1", { id: payeeId })),
      ),
      payees: await json<{ payees: Graded[] }>(await payeesCall.loader(await get("/api/payees"))),
      verification: await json<Graded>(
        await verificationCall.loader(await get("/api/verifications/1", { id: verificationId })),
      ),
      verifications: await json<{ verifications: Graded[] }>(
        await verificationsCall.loader(await get("/api/verifications")),
      ),
    },
  };
}

test.each(Object.entries(WAYS))(
  "what %s verified is told alike on every page, in every file and by the API",
  async (_, way) => {
    const world = await aWorld();
    const made = await way.make(world);
    const { pages, files, api, payee } = await readEverywhere(world, made);
    const { name, text } = way;
    expect(new Set(Object.values(pages))).toEqual(new Set([text]));
    expect(payee.payee.verifications).toMatchObject([{ status: "verified", grade: text }]);
    for (const line of files) expect(line).toContain(text);
    const grade = { name, text };
    expect(api.payee).toMatchObject({ payee: { grade }, latestVerification: { grade } });
    expect(api.payees.payees).toMatchObject([{ grade }]);
    expect(api.verification.grade).toEqual(grade);
    expect(api.verifications.verifications).toMatchObject([{ grade }]);
    const [entry] = await peek
      .select({ details: auditLogs.details })
      .from(auditLogs)
      .where(and(eq(auditLogs.entityId, made.verificationId), eq(auditLogs.action, "verification.approved")));
    expect(entry?.details).toMatchObject({ grade: name, gradeText: text });
  },
);

const gradeOf = async ({ services, actor }: World, payeeId: string) => {
  const page = await payeePage.loader(await routeArgs(services, actor, "/payees/1", { id: payeeId }));
  const list = await payeesPage.loader(await routeArgs(services, actor, "/payees"));
  const answer = await payeeCall.loader(await routeArgs(services, actor, "/api/payees/1", { id: payeeId }));
  const { payee } = (await answer.json()) as { payee: { grade: { name: string; text: string } | null } };
  const row = list.rows.find(({ id }) => id === payeeId);
  expect(row?.grade).toBe(page.payee.grade);
  expect(payee.grade?.text ?? null).toBe(page.payee.grade);
  return payee.grade;
};

test("a payee that was trusted by hand says so, also one that a bank had confirmed before it was taken off", async () => {
  const world = await aWorld();
  const { services, actor } = world;
  const { payeeId } = await anAddedPayee(services, actor);
  expect(await gradeOf(world, payeeId)).toBeNull();
  const json = { reason: "Known for years" };
  const put = await whitelistCall.action(
    await routeArgs(services, actor, "/api/payees/1/whitelist", { id: payeeId }, { json }),
  );
  const byHand = { name: "by_hand", text: `Whitelisted by hand, ${NOTHING_APPROVED}` };
  expect(await put.json()).toMatchObject({ payee: { grade: byHand } });
  expect(await gradeOf(world, payeeId)).toEqual(byHand);
  const confirmed = await anApproved(world, answered("basiq"));
  services.clock.advance(DAY_MS);
  await unwhitelistByHand(services, actor, { payeeId: confirmed.payeeId, reason: "Complaint" });
  expect(await gradeOf(world, confirmed.payeeId)).toBeNull();
  services.clock.advance(DAY_MS);
  await whitelistByHand(services, actor, { payeeId: confirmed.payeeId, reason: "Settled" });
  expect(await gradeOf(world, confirmed.payeeId)).toEqual({ name: "by_hand", text: "Whitelisted by hand" });
});

test("a payee that earned its place by payments says so, on its payments too", async () => {
  const world = await aWorld();
  const { services, actor } = world;
  const { payeeId } = await anAddedPayee(services, actor);
  for (let count = 0; count < 3; count++) {
    services.clock.advance(DAY_MS);
    const paymentId = await pay(world, payeeId);
    const json = { status: "successful" };
    const args = await routeArgs(services, actor, "/api/payments/1/outcome", { id: paymentId }, { json });
    expect(await (await outcomeCall.action(args)).json()).toMatchObject({ payee: { status: "pending", grade: null } });
  }
  await promoteEarnedPayees(services);
  const grade = { name: "payments", text: `Whitelisted after successful payments, ${NOTHING_APPROVED}` };
  expect(await gradeOf(world, payeeId)).toEqual(grade);
  const { id } = await aPaidPayment(services, actor, payeeId);
  const { view } = await paymentPage.loader(await routeArgs(services, actor, "/payments/1", { id }));
  expect(view.payee).toMatchObject({ status: "whitelisted", grade: grade.text });
});

test("restored details say so, and how they had been verified", async () => {
  const world = await aWorld();
  const { services, actor } = world;
  const { payeeId } = await anApproved(world, answered("cop"));
  services.clock.advance(DAY_MS);
  await editPayee(services, actor, { payeeId, patch: { bsb: "033001" } });
  expect(await gradeOf(world, payeeId)).toBeNull();
  services.clock.advance(DAY_MS);
  await restoreFormerDetails(services, actor, { verificationId: await pendingOf(payeeId), reason: "Invoice fraud" });
  expect(await gradeOf(world, payeeId)).toEqual({
    name: "restored",
    text: "Former details restored, confirmed by the bank, by Confirmation of Payee",
  });
});

test("what is pending, rejected or failed has no grade", async () => {
  const world = await aWorld();
  const { services, actor } = world;
  const { payeeId, verificationId } = await anAddedPayee(services, actor);
  const read = async () => {
    const args = await routeArgs(services, actor, "/verifications/1", { id: verificationId });
    return (await verificationPage.loader(args)).view.grade;
  };
  expect(await read()).toBeNull();
  await reviewVerification(services, actor, { verificationId, review: { approved: false, reason: "Wrong" } });
  expect(await read()).toBeNull();
  expect(await gradeOf(world, payeeId)).toBeNull();
});
