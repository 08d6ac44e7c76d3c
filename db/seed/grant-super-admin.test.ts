import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createClient } from "@libsql/client";
import { eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import { migrate } from "drizzle-orm/libsql/migrator";
import { uuidv7 } from "uuidv7";
import { beforeAll, expect, test } from "vitest";
import { PLATFORM_ORGANIZATION_ID } from "~/services-and-actor";
import * as schema from "../database";
import { auditLogs, twoSteps, users } from "../database";

const url = `file:${path.join(mkdtempSync(path.join(tmpdir(), "payeeproof-grant-")), "test.db")}`;
const db = drizzle(createClient({ url }), { schema });
const NOW = 1_780_000_000_000;

beforeAll(() => migrate(db, { migrationsFolder: "db/migrations" }));

type Account = {
  email: string;
  confirmed?: boolean;
  twoStep?: "on" | "begun" | "none";
  status?: "active" | "inactive";
};

async function anAccount({ email, confirmed = true, twoStep = "on", status = "active" }: Account) {
  const id = uuidv7();
  const named = { username: id, password: "x", firstName: "Ada", lastName: "O'Neill", role: "admin" as const };
  const emailVerifiedAt = confirmed ? NOW : null;
  await db.insert(users).values({ id, email, status, ...named, emailVerifiedAt, createdAt: NOW, updatedAt: NOW });
  if (twoStep === "none") return id;
  const enabledAt = twoStep === "on" ? NOW : null;
  await db.insert(twoSteps).values({ userId: id, sealedSecret: "sealed", enabledAt, createdAt: NOW });
  return id;
}

/** The command as an operator types it. */
const grant = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/admin-grant.mjs", ...args], {
    encoding: "utf8",
  });
  return { status, said: (stdout + stderr).trim() };
};
const roleOf = async (id: string) => (await db.select().from(users).where(eq(users.id, id)))[0]?.role;
const entriesOf = (id: string) => db.select().from(auditLogs).where(eq(auditLogs.entityId, id));

test("a confirmed account with two-step sign-in becomes a super admin once, and the trail says so", async () => {
  const id = await anAccount({ email: "ada.o'neill@payeeproof.example" });
  const typed = " Ada.O'Neill@PayeeProof.example ";
  expect(grant(typed, "--libsql", url)).toMatchObject({
    status: 0,
    said: expect.stringContaining("is a super admin now"),
  });
  expect(await roleOf(id)).toBe("super_admin");
  expect(grant(typed, "--libsql", url)).toMatchObject({ status: 0, said: expect.stringContaining("already") });
  const entries = await entriesOf(id);
  expect(entries).toMatchObject([
    {
      organizationId: PLATFORM_ORGANIZATION_ID,
      userId: null,
      action: "user.super_admin_granted",
      entityType: "user",
      details: { role: { from: "admin", to: "super_admin" } },
    },
  ]);
});

test.each([
  ["is not confirmed", { email: "unconfirmed@payeeproof.example", confirmed: false }],
  ["has no two-step sign-in", { email: "one-step@payeeproof.example", twoStep: "none" }],
  ["has no two-step sign-in", { email: "begun@payeeproof.example", twoStep: "begun" }],
  ["is not active (inactive)", { email: "former@payeeproof.example", status: "inactive" }],
] as const)("an account that %s stays as it is, and the command fails and says why", async (why, account) => {
  const id = await anAccount(account);
  expect(grant(account.email, "--libsql", url)).toMatchObject({ status: 1, said: expect.stringContaining(why) });
  expect(await roleOf(id)).toBe("admin");
  expect(await entriesOf(id)).toEqual([]);
});

test("an address that no account has, and a command without an address, are refused", () => {
  expect(grant("nobody@payeeproof.example", "--libsql", url)).toMatchObject({
    status: 1,
    said: expect.stringContaining("no account has the address nobody@payeeproof.example"),
  });
  expect(grant()).toMatchObject({ status: 1, said: expect.stringContaining("Usage") });
});
