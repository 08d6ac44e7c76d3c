import { createHash } from "node:crypto";
import { auditLogs } from "@db/database";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { canonicalJson, fromBase64Url } from "~/kernel/encodings";
import { findTip } from "~/modules/core/audit/seals.server";
import * as exportRoute from "~/routes/_app+/settings.export[.]ndjson";
import { aMember } from "../../../../tests/support/factories";
import { anAddedPayee, peek } from "../../../../tests/support/payees";
import { anUploadedFile } from "../../../../tests/support/payment-files";
import { aPayment, aTrustedPayee } from "../../../../tests/support/payments";
import { routeArgs } from "../../../../tests/support/requests";
import { testServices } from "../../../../tests/support/services";
import { type ExportStart, exportOrganization, readExportStart } from "./organization-export.server";

type Line = { table?: string; row: Record<string, unknown>; [key: string]: unknown };

const linesOf = (text: string): Line[] =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const rowsOf = (lines: readonly Line[], table: string) => lines.filter((line) => line.table === table);

async function anOffice() {
  const services = testServices();
  const actor = await aMember(services, { role: "admin" });
  const stranger = await aMember(services, { role: "admin" });
  for (const of of [actor, stranger]) {
    const { payeeId } = await aTrustedPayee(services, of);
    for (let count = 0; count < 3; count++) await aPayment(services, of, payeeId);
    await anAddedPayee(services, of, { name: of === actor ? "Ours Pty Ltd" : "Theirs Pty Ltd" });
  }
  return { services, actor, stranger };
}

test("an administrator downloads everything of the organisation, and nothing of another", async () => {
  const { services, actor, stranger } = await anOffice();
  const file = await anUploadedFile(services, actor, [
    { accountName: "Ours", bsb: "062000", accountNumber: "12345678" },
  ]);
  const response = await exportRoute.loader(await routeArgs(services, actor, "/settings/export.ndjson"));
  expect(response.headers.get("Content-Type")).toBe("application/x-ndjson; charset=utf-8");
  const text = await response.text();
  const lines = linesOf(text);
  expect(lines[0]).toMatchObject({ format: 1, organization: { id: actor.organizationId } });
  expect(lines.at(-1)).toMatchObject({ isComplete: true, lines: { payees: 2, paymentRecords: 3, users: 1 } });
  expect(rowsOf(lines, "payees").map(({ row }) => row.name)).toContain("Ours Pty Ltd");
  expect(rowsOf(lines, "users")).toMatchObject([{ row: { email: actor.email } }]);
  expect(rowsOf(lines, "decisions").length).toBeGreaterThan(0);
  expect(rowsOf(lines, "decisionRecords")).toHaveLength(3);
  const document = rowsOf(lines, "documents")[0]?.row;
  expect(document).toMatchObject({ of: "paymentFiles", id: file.fileId });
  expect(fromBase64Url(String(document?.base64url))).toEqual(file.bytes);
  for (const foreign of [stranger.organizationId, stranger.userId, stranger.email, "Theirs Pty Ltd"])
    expect(text).not.toContain(foreign);
});

test("the trail in it is whole, ends with the download, and is checked with nothing but SHA-256", async () => {
  const { services, actor } = await anOffice();
  const response = await exportRoute.loader(await routeArgs(services, actor, "/settings/export.ndjson"));
  const trail = rowsOf(linesOf(await response.text()), "auditTrail").map(({ row }) => row);
  let previous = "0".repeat(64);
  const digest = (text: string) => createHash("sha256").update(text).digest("hex");
  for (const { hash, prevHash, emailSalt, ...entry } of trail) {
    expect(prevHash).toBe(previous);
    // Sealed entries contain each address as its first letter, its domain, and a digest that the salt can prove.
    const sealed = JSON.stringify(entry).replace(/[^\s"@]+@[^\s"]+/g, (address) =>
      emailSalt === undefined
        ? address
        : `${address[0]}•••${address.slice(address.lastIndexOf("@"))}#${digest(`${emailSalt}\n${address}`)}`,
    );
    previous = digest(`${previous}\n${canonicalJson(JSON.parse(sealed))}`);
    expect(hash).toBe(previous);
  }
  expect(await findTip(services, actor.organizationId)).toEqual({ count: trail.length, hash: previous });
  const isExport = and(eq(auditLogs.organizationId, actor.organizationId), eq(auditLogs.action, "records.exported"));
  const [entry] = await peek.select().from(auditLogs).where(isExport);
  expect(entry?.details).toEqual({ what: "all of the organisation's data" });
  expect(trail.at(-1)).toMatchObject({ id: entry?.id });
});

test("an export of many files has every row once", async () => {
  const { services, actor } = await anOffice();
  const limits = { pageRows: 2, maxReads: 5 };
  const read = async (start: ExportStart, more?: typeof limits) => {
    let text = "";
    for await (const part of exportOrganization(services, actor, start, more)) text += part;
    return linesOf(text);
  };
  const beginning = readExportStart(new URLSearchParams());
  const whole = (await read(beginning)).filter(({ table }) => table);
  const parts: Line[] = [];
  let files = 0;
  for (let start: ExportStart | null = beginning; start && files < 100; files++) {
    const lines = await read(start, limits);
    parts.push(...lines.filter(({ table }) => table));
    const next = lines.at(-1)?.next;
    start = typeof next === "string" ? readExportStart(new URLSearchParams({ after: next })) : null;
  }
  expect(files).toBeGreaterThan(5);
  const inOrder = (lines: readonly Line[]) => lines.map((line) => JSON.stringify(line)).sort();
  expect(inOrder(parts)).toEqual(inOrder(whole));
});

test.each(["", "{", "[]", '{"table":"users","key":[]}', '{"table":"payees","key":["a","b"]}'])(
  "an export that begins at %j is not found",
  (after) => {
    expect(() => readExportStart(new URLSearchParams({ after }))).toThrow(expect.objectContaining({ status: 404 }));
  },
);
