import { alerts, auditLogs, bsbDirectory, bsbUploadRows, healthRuns, outbox } from "@db/database";
import { and, eq, inArray } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { claimJob } from "~/modules/core/commands/outbox.server";
import { raiseAllAlerts } from "../../../../tests/support/alerts";
import { withDirectoryOfItsOwn } from "../../../../tests/support/bsb-directory";
import { aMember } from "../../../../tests/support/factories";
import { losingConnection } from "../../../../tests/support/lost-connections";
import { aColleague, anAddedPayee, peek, refusal } from "../../../../tests/support/payees";
import { type TestServices, testServices } from "../../../../tests/support/services";
import { archivePayee } from "../archive-payee.server";
import { findDirectoryInUse, readUpdatePage, takeDirectory, uploadDirectory } from "./load-directory.server";
import { tellOwners } from "./tell-owners.server";

const loader = { userId: null, origin: { ipAddress: null, userAgent: null, requestId: "test" } };

const OPEN = "062-000,CBA,Sydney,48 Martin Place,Sydney,NSW,2000,PEH";
const NEXT = "062-001,CBA,Haymarket,431 Sussex Street,Haymarket,NSW,2000,PEH";
const MERGED = "062-000,CBA,Merged,Refer to BSB 062-001,Sydney,NSW,2000,PEH";
const CLOSED = "062-001,CBA,Haymarket (Closed),431 Sussex Street,Haymarket,NSW,2000,PEH";

withDirectoryOfItsOwn();
beforeEach(() => raiseAllAlerts(testServices()));

const upload = (services: TestServices, lines: readonly string[], name = "directory.csv") =>
  uploadDirectory(services, loader, { name, bytes: new TextEncoder().encode(lines.join("\r\n")) });

async function take(services: TestServices, lines: readonly string[], name?: string) {
  const comparedWith = (await findDirectoryInUse(services))?.id ?? "";
  const uploadId = await upload(services, lines, name);
  await takeDirectory(services, loader, { uploadId, comparedWith });
  services.clock.advance(1_000);
  return uploadId;
}

const directory = async () =>
  (await peek.select().from(bsbDirectory).orderBy(bsbDirectory.bsb)).map(({ bsb, status, successorBsb }) =>
    [bsb, status, successorBsb].filter(Boolean).join(" "),
  );

const pageOf = async (services: TestServices) =>
  (await readUpdatePage(services, { timeZone: "Australia/Sydney", now: services.clock.now() })).waiting;

/** Runs the job of an upload, as the queue would. */
async function deliver(services: TestServices, uploadId: string) {
  const [waiting] = await peek
    .select({ id: outbox.id })
    .from(outbox)
    .where(and(eq(outbox.kind, "bsb_closures"), eq(outbox.subjectId, uploadId), eq(outbox.status, "pending")));
  const job = waiting && (await claimJob(services, waiting.id));
  if (!job) throw new Error("no job waits");
  await tellOwners(services, job);
}

const told = ({ organizationId }: { organizationId: string }) =>
  peek
    .select({ details: auditLogs.details })
    .from(auditLogs)
    .where(and(eq(auditLogs.organizationId, organizationId), eq(auditLogs.action, "payee.bsbs_ended")));

test("an upload shows what it changes and leaves the directory as it is", async () => {
  const services = testServices();
  await take(services, [OPEN, NEXT, "062-002,CBA,Gone,Street,Sydney,NSW,2000,PEH"]);
  const actor = await aMember(services);
  await anAddedPayee(services, actor, { bsb: "062000" });
  await upload(services, [MERGED, CLOSED, "062-003,CBA,New,Street,Sydney,NSW,2000,PEH"]);
  expect(await directory()).toEqual(["062000 open", "062001 open", "062002 open"]);
  const page = await pageOf(services);
  expect(page?.changes.map(({ title, count, rows }) => [title, count, rows])).toEqual([
    ["Closed", 1, [{ bsb: "062001", name: "Haymarket", note: "" }]],
    ["Merged", 1, [{ bsb: "062000", name: "Merged", note: "Now 062-001" }]],
    ["No longer listed", 1, [{ bsb: "062002", name: "Gone", note: "" }]],
    ["New", 1, [{ bsb: "062003", name: "New", note: "" }]],
  ]);
  expect(page?.touched).toMatch(/^[1-9]/);
});

test("the file is taken as a whole: what differs is written, what is missing is removed", async () => {
  const services = testServices();
  await take(services, [OPEN, NEXT]);
  const before = services.clock.now();
  await take(services, [OPEN, "062-003,CBA,New,Street,Sydney,NSW,2000,P"]);
  expect(await directory()).toEqual(["062000 open", "062003 open"]);
  const rows = await peek.select().from(bsbDirectory).orderBy(bsbDirectory.bsb);
  expect(rows.map(({ loadedAt }) => loadedAt < before)).toEqual([true, false]);
  expect(rows[1]).toMatchObject({ paper: true, electronic: false, street: "Street", postcode: "2000" });
  expect(await peek.select().from(bsbUploadRows)).toEqual([]);
});

test("the same file again changes nothing, and the page says so", async () => {
  const services = testServices();
  await take(services, [OPEN, MERGED.replace("062-000", "062-009")]);
  await upload(services, [OPEN, MERGED.replace("062-000", "062-009")]);
  expect(await pageOf(services)).toMatchObject({ changes: [] });
});

test("owners of payees at closed and merged BSBs are told once, and their list is read anew", async () => {
  const services = testServices();
  await take(services, [OPEN, NEXT]);
  const admin = await aMember(services, { role: "admin" });
  const mira = await aColleague(services, admin, { role: "member" });
  await anAddedPayee(services, mira, { bsb: "062000" });
  await anAddedPayee(services, mira, { bsb: "062001" });
  const { payeeId } = await anAddedPayee(services, mira, { bsb: "062001" });
  await archivePayee(services, mira, payeeId);
  const elsewhere = await aMember(services, { role: "admin" });
  await anAddedPayee(services, elsewhere, { bsb: "012003" });
  const uploadId = await take(services, [MERGED, CLOSED], "november.csv");
  await deliver(services, uploadId);
  expect(await told(admin)).toEqual([{ details: { payees: 2, fileName: "november.csv" } }]);
  expect(await told(elsewhere)).toEqual([]);
  const runs = await peek.select().from(healthRuns).where(eq(healthRuns.organizationId, admin.organizationId));
  expect(runs).toHaveLength(1);
  await raiseAllAlerts(services);
  const raised = await peek
    .select()
    .from(alerts)
    .where(and(eq(alerts.event, "payee_bsb_closed"), inArray(alerts.userId, [admin.userId, mira.userId])));
  expect(raised.map(({ body, href }) => [body.slice(0, 24), href])).toEqual(
    Array(2).fill(["This affects 2 payees. P", "/payees/health?kind=bsb_closed#list"]),
  );
  // The next month's file says the same about these BSBs, so nobody is told again.
  await deliver(services, await take(services, [MERGED, CLOSED, "062-003,CBA,New,Street,Sydney,NSW,2000,PEH"]));
  expect(await told(admin)).toHaveLength(1);
});

test("a job that is delivered twice, or loses its connection, tells nobody twice", async () => {
  const services = testServices();
  await take(services, [OPEN]);
  const admin = await aMember(services, { role: "admin" });
  await anAddedPayee(services, admin, { bsb: "062000" });
  const uploadId = await take(services, [MERGED]);
  await deliver({ ...services, db: losingConnection(services.db, "after") }, uploadId);
  await peek
    .update(outbox)
    .set({ status: "pending", leaseId: null, leaseUntil: null })
    .where(eq(outbox.subjectId, uploadId));
  await deliver(services, uploadId);
  expect(await told(admin)).toHaveLength(1);
});

test.each(["before", "after"] as const)("a connection lost %s the write takes the file once", async (when) => {
  const services = testServices();
  const uploadId = await upload(services, [OPEN]);
  const losing = { ...services, db: losingConnection(services.db, when) };
  expect(await takeDirectory(losing, loader, { uploadId, comparedWith: "" })).toEqual({ rowCount: 1 });
  expect(await takeDirectory(services, loader, { uploadId, comparedWith: "" })).toEqual({ rowCount: 1 });
  const entries = await peek.select().from(auditLogs).where(eq(auditLogs.entityId, uploadId));
  expect(entries.map(({ action }) => action).sort()).toEqual(["bsb_directory.loaded", "bsb_directory.uploaded"]);
  expect(await directory()).toEqual(["062000 open"]);
});

test("a file that another replaced, or that was compared with another directory, is not taken", async () => {
  const services = testServices();
  const first = await upload(services, [OPEN]);
  const second = await upload(services, [NEXT]);
  const refused = { code: "CHANGED_MEANWHILE", status: 409 };
  expect(await refusal(takeDirectory(services, loader, { uploadId: first, comparedWith: "" }))).toMatchObject(refused);
  expect(await refusal(takeDirectory(services, loader, { uploadId: second, comparedWith: first }))).toMatchObject(
    refused,
  );
  expect(await directory()).toEqual([]);
});

test("a wrong file is refused with its lines, and what waits stays", async () => {
  const services = testServices();
  const waiting = await upload(services, [OPEN]);
  const refused = await refusal(upload(services, [OPEN, "oops"]));
  expect(refused).toMatchObject({ code: "INVALID_FILE", status: 400 });
  expect(refused.fieldErrors).toEqual({ file: ["Line 2: 1 columns where the directory has 8."] });
  expect((await pageOf(services))?.uploadId).toBe(waiting);
});

test("a directory of full size is taken, and all its BSBs of a bank closed", async () => {
  const services = testServices();
  const rows = (name: string) =>
    Array.from({ length: 15_000 }, (_, at) => {
      const digits = String(at).padStart(6, "0");
      return `${digits.slice(0, 3)}-${digits.slice(3)},CBA,Branch ${at}${name},Street of some length,Sydney,NSW,2000,PEH`;
    });
  await take(services, rows(""));
  await upload(services, rows(" (Closed)"));
  const page = await pageOf(services);
  expect(page?.changes.map(({ title, count, rows: first }) => [title, count, first.length])).toEqual([
    ["Closed", 15_000, 10],
  ]);
  const comparedWith = page?.comparedWith ?? "";
  await takeDirectory(services, loader, { uploadId: page?.uploadId ?? "", comparedWith });
  expect((await directory()).filter((row) => !row.endsWith("closed"))).toEqual([]);
});
