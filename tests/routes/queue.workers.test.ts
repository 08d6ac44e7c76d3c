import { alerts, auditLogs } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { reviewVerification } from "~/modules/verifying/review/review.server";
import * as notes from "~/routes/_app+/verifications.$id_.notes";
import * as queue from "~/routes/_app+/verifications.pending";
import type { Actor } from "~/services-and-actor";
import { raiseAllAlerts } from "../support/alerts";
import { aMember } from "../support/factories";
import { routeArgs } from "../support/requests";
import { type TestServices, testServices } from "../support/services";
import { aPendingVerification } from "../support/verifications";

const KEY = "0199a000-0000-7000-8000-00000000000";

async function aDesk() {
  const services = testServices();
  const actor = await aMember(services);
  const organization = { id: actor.organizationId, name: actor.organizationName };
  const dana = await aMember(services, { organization, firstName: "Dana" });
  const open = async (name: string) =>
    (await aPendingVerification(services, actor, { payee: { name, accountName: `${name} Pty Ltd` } })).verificationId;
  const ids = [await open("Alder"), await open("Birch"), await open("Cedar")];
  return { services, actor, dana, organization, ids };
}

type Answer = {
  init: { status?: number } | null;
  data: { extra?: { title: string; results: Result[] }; errors: object };
};
type Result = { name: string; isDone: boolean; text: string };

async function press(services: TestServices, actor: Actor, ids: readonly string[], form: Record<string, string>) {
  const fields = [...Object.entries(form), ...ids.map((id): [string, string] => ["id", id])];
  return (await queue.action(
    await routeArgs(services, actor, "/verifications/pending?match=none", {}, { form: fields }),
  )) as unknown as Answer;
}

const rowsOf = async (services: TestServices, actor: Actor, query = "") =>
  (await queue.loader(await routeArgs(services, actor, `/verifications/pending${query}`))).rows;

const actsOf = (services: TestServices, { organizationId }: Actor, action: string) =>
  services.db
    .select({ id: auditLogs.entityId })
    .from(auditLogs)
    .where(and(eq(auditLogs.organizationId, organizationId), eq(auditLogs.action, action)));

const alertsOf = ({ db }: TestServices, { organizationId, userId }: Actor, event: string) =>
  db
    .select({ title: alerts.title, body: alerts.body })
    .from(alerts)
    .where(and(eq(alerts.organizationId, organizationId), eq(alerts.userId, userId), eq(alerts.event, event)));

test("the ticked items are rejected one by one, each with a result, and once however often the form is sent", async () => {
  const { services, actor, dana, ids } = await aDesk();
  const review = { approved: true, addToGlobalWhitelist: false } as const;
  await reviewVerification(services, dana, { verificationId: ids[1] ?? "", review });
  const form = { intent: "reject", reason: "Not our supplier", submissionId: `${KEY}1` };
  const { data } = await press(services, actor, ids, form);
  expect(data.extra?.title).toBe("2 of 3 done");
  expect(data.extra?.results.map(({ name, isDone }) => [name, isDone])).toEqual([
    ["Birch", false],
    ["Alder", true],
    ["Cedar", true],
  ]);
  expect(data.extra?.results[0]?.text).toContain("Dana Okafor approved this verification");
  const again = await press(services, actor, ids, form);
  expect(again.data.extra?.title).toBe("2 of 3 done");
  expect(await actsOf(services, actor, "verification.rejected")).toHaveLength(2);
});

test("links go out once for each item, however often the form is sent", async () => {
  const { services, actor, ids } = await aDesk();
  const form = { intent: "send-link", submissionId: `${KEY}2` };
  for (let i = 0; i < 2; i++) {
    expect((await press(services, actor, ids.slice(0, 1), form)).data.extra?.title).toBe("1 of 1 done");
  }
  expect(await actsOf(services, actor, "verification.link_sent")).toHaveLength(1);
});

test.each([
  ["approves nothing", { intent: "approve" }, 3],
  ["asks for a reason", { intent: "reject", reason: " " }, 3],
  ["asks for an item", { intent: "verify-basiq" }, 0],
])("the queue %s", async (_, form, count) => {
  const { services, actor, ids } = await aDesk();
  const answer = await press(services, actor, ids.slice(0, count), { ...form, submissionId: `${KEY}3` });
  expect(answer.init?.status).toBe(400);
  expect(await rowsOf(services, actor)).toHaveLength(3);
});

test("people who only look change nothing, and items of another organisation are refused as missing", async () => {
  const { services, actor, organization, ids } = await aDesk();
  const form = { intent: "reject", reason: "No", submissionId: `${KEY}4` };
  const reader = await aMember(services, { organization, role: "read_only" });
  expect((await press(services, reader, ids, form)).init?.status).toBe(403);
  const { data } = await press(services, await aMember(services), ids.slice(0, 1), form);
  expect(data.extra?.results).toMatchObject([{ isDone: false }]);
  expect(await rowsOf(services, actor)).toHaveLength(3);
});

test("an item is assigned to a colleague, who is told, finds it under their own, and sees it in the queue", async () => {
  const { services, actor, dana, organization, ids } = await aDesk();
  const reader = await aMember(services, { organization, role: "read_only" });
  const form = (assignee: string) => ({ intent: "assign", assignee, submissionId: `${KEY}5` });
  expect((await press(services, actor, ids.slice(0, 2), form(dana.userId))).data.extra?.title).toBe("2 of 2 done");
  expect((await rowsOf(services, dana, "?assigned=me")).map((row) => [row.payeeName, row.assignedTo])).toEqual([
    ["Alder", "Dana Okafor"],
    ["Birch", "Dana Okafor"],
  ]);
  await raiseAllAlerts(services);
  expect((await alertsOf(services, dana, "assigned")).map(({ title }) => title)).toEqual([
    "Assigned to you: Alder",
    "Assigned to you: Birch",
  ]);
  const refused = await press(services, actor, ids.slice(0, 1), form(reader.userId));
  expect(refused.data.extra?.results).toMatchObject([
    { isDone: false, text: expect.stringContaining("Choose a person") },
  ]);
  await press(services, actor, ids.slice(0, 1), form(""));
  expect(await rowsOf(services, dana, "?assigned=me")).toHaveLength(1);
});

test("a comment stands in the history and tells the people it mentions; a name that nobody has is refused", async () => {
  const { services, actor, dana, ids } = await aDesk();
  const [id = ""] = ids;
  const comment = async (text: string) =>
    notes.action(
      await routeArgs(services, actor, `/verifications/${id}/notes`, { id }, { form: { intent: "comment", text } }),
    );
  expect((await comment("@Dana, they called back: the number is new")) as Response).toMatchObject({ status: 303 });
  expect((await comment("@Somebody look")) as unknown as Answer).toMatchObject({
    init: { status: 400 },
    data: { errors: { text: [expect.stringContaining('"@Somebody"')] } },
  });
  const page = await notes.loader(await routeArgs(services, dana, `/verifications/${id}/notes`, { id }));
  expect(page.comments).toMatchObject([{ who: "Mira Okafor", note: "@Dana, they called back: the number is new" }]);
  await raiseAllAlerts(services);
  expect(await alertsOf(services, dana, "mentioned")).toEqual([
    { title: "Mira Okafor mentioned you: Alder", body: "@Dana, they called back: the number is new" },
  ]);
});

test("a person keeps views of the queue, for themselves only; the same name means the newer view", async () => {
  const { services, actor, dana } = await aDesk();
  const viewsOf = async (who: Actor) =>
    (await queue.loader(await routeArgs(services, who, "/verifications/pending"))).views;
  for (const query of ["?match=none", "?order=oldest&assigned=me"]) {
    const form = { intent: "save-view", name: " Mine " };
    await queue.action(await routeArgs(services, actor, `/verifications/pending${query}`, {}, { form }));
  }
  const views = await viewsOf(actor);
  expect(views).toMatchObject([{ name: "Mine", query: "order=oldest&assigned=me" }]);
  expect(await viewsOf(dana)).toEqual([]);
  const remove = async (who: Actor) => press(services, who, [], { intent: "remove-view", view: views[0]?.id ?? "" });
  await remove(dana);
  expect(await viewsOf(actor)).toHaveLength(1);
  await remove(actor);
  expect(await viewsOf(actor)).toEqual([]);
});
