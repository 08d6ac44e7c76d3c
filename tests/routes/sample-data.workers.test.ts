import { organizations, outbox } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { changeMember } from "~/modules/accounts/members/members.server";
import { consume } from "../../workers/queues";
import { aMember } from "../support/factories";
import { peek } from "../support/payees";
import { cookieOf } from "../support/requests";
import { testServices } from "../support/services";
import { aBrowser, textOf } from "../support/worker";

/** A clock in step with the Worker's, so that sessions made here are valid there. */
const services = testServices({ clock: { now: () => Date.now() } });

/** Does what the queue was told, and nothing of other tests. */
async function makeAll(organizationId: string) {
  const mine = and(eq(outbox.organizationId, organizationId), eq(outbox.kind, "sample_data"));
  for (let isMade = false; !isMade; ) {
    const [job] = await peek.select().from(outbox).where(mine);
    const message = { id: job?.id, body: { jobId: job?.id, v: 1 }, ack() {}, retry() {} };
    await consume({ queue: "jobs", messages: [message] } as unknown as MessageBatch, services);
    const [sample] = await services.db
      .select({ step: organizations.sampleStep })
      .from(organizations)
      .where(eq(organizations.sampleFor, organizationId));
    isMade = sample?.step === null;
    if (sample?.step === -1) throw new Error("the sample was given up");
  }
}

test("by forms alone: sample data is loaded from Get started, looked at, marked on every page, left and removed", async () => {
  const admin = await aMember(services, { role: "admin" });
  const browser = aBrowser();
  const [name = "", value = ""] = (await cookieOf(services, admin)).split("=");
  browser.jar.set(name, value);
  const read = async (path: string) => textOf(await browser.get(path));
  expect(await read("/dashboard")).toContain("Look around in sample data");
  expect(await read("/sample-data")).toContain("Load sample data");
  expect((await browser.submit("/sample-data", { intent: "load" })).status).toBe(303);
  expect(await read("/sample-data")).toContain("The sample data is being made");
  await makeAll(admin.organizationId);

  const ready = await (await browser.get("/sample-data")).text();
  const organizationId = /name="organizationId" value="([^"]+)"/.exec(ready)?.[1] ?? "";
  expect((await browser.submit("/select-organization", { organizationId })).status).toBe(303);
  for (const path of ["/dashboard", "/verifications", "/payees", "/payments/files", "/audit", "/reports", "/profile"]) {
    expect(await read(path), path).toContain(
      "Sample data: every payee, payment and answer of a bank here is invented.",
    );
  }
  expect(await read("/verifications")).toContain("Coastal Glass Supplies");
  const added = { name: "Real", accountName: "Real Pty Ltd", bsb: "062000", accountNumber: "12345678" };
  expect((await browser.post("/api/payees", added)).status).toBe(403);
  expect((await browser.submit("/sample-data", { intent: "load" })).status).toBe(403);
  // As a super admin can, who may change everybody's role.
  const change = { act: "change_role", role: "admin" } as const;
  const staff = { userId: null, origin: admin.origin };
  await changeMember(services, staff, { organizationId, userId: admin.userId, change });
  expect((await browser.post("/api/payees", added)).status).toBe(403);
  expect((await browser.submit("/settings/policies", {})).status).toBe(403);

  expect((await browser.submit("/sample-data", { intent: "remove" })).status).toBe(303);
  const back = await read("/dashboard");
  expect(back).toContain(admin.organizationName);
  expect(back).not.toContain("is invented.");
  expect(await read("/sample-data")).toContain("Load sample data");
}, 120_000);
