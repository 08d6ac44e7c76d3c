import { auditLogs } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { routeOf } from "~/api/calls.server";
import * as page from "~/routes/_app+/verifications.$id";
import * as pendingPage from "~/routes/_app+/verifications.pending";
import type { Actor, Services } from "~/services-and-actor";
import { aMember } from "../support/factories";
import { routeArgs } from "../support/requests";
import { testServices } from "../support/services";
import { aPendingVerification } from "../support/verifications";

const detail = routeOf("/api/verifications/{id}");
const review = routeOf("/api/verifications/{id}/review");
const sendLink = routeOf("/api/verifications/{id}/send-link");
const verifyBasiq = routeOf("/api/verifications/{id}/verify-basiq");
const list = routeOf("/api/verifications/pending");

const looksOf = (services: Services, { organizationId }: Actor, verificationId: string) =>
  services.db
    .select({ userId: auditLogs.userId })
    .from(auditLogs)
    .where(
      and(
        eq(auditLogs.organizationId, organizationId),
        eq(auditLogs.action, "payee.details_revealed"),
        eq(auditLogs.entityId, verificationId),
      ),
    );

type Route = { loader?: unknown; action?: unknown };
type Handler = (args: Awaited<ReturnType<typeof routeArgs>>) => Promise<unknown>;

const WAYS: [string, Route, { json?: object }][] = [
  ["the page, and its .data", page, {}],
  ["GET /api/verifications/{id}", detail, {}],
  ["POST .../review", review, { json: { approved: false } }],
  ["POST .../send-link", sendLink, { json: {} }],
  ["POST .../verify-basiq", verifyBasiq, { json: {} }],
];

test.each(WAYS)("attack: full account numbers read without a trace through %s", async (_, route, init) => {
  const services = testServices();
  const actor = await aMember(services);
  const { verificationId, details } = await aPendingVerification(services, actor);
  const args = await routeArgs(services, actor, "/", { id: verificationId }, init);
  const handler = (init.json ? route.action : route.loader) as Handler;
  const answer = await handler(args);
  const shown = answer instanceof Response ? await answer.text() : JSON.stringify(answer);
  expect(shown).toContain(details.accountNumber);
  expect(await looksOf(services, actor, verificationId)).toEqual([{ userId: actor.userId }]);
});

test("attack: a read-only person copies account numbers out of the lists", async () => {
  const services = testServices();
  const actor = await aMember(services, { role: "read_only" });
  const { details } = await aPendingVerification(services, actor);
  const shown = [
    await (await list.loader(await routeArgs(services, actor, "/api/verifications/pending"))).text(),
    JSON.stringify(await pendingPage.loader(await routeArgs(services, actor, "/verifications/pending"))),
  ];
  for (const text of shown) {
    expect(text).toContain(details.bsb);
    expect(text).not.toContain(details.accountNumber);
  }
});
