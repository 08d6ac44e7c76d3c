import { commit } from "@db/commit";
import {
  auditLogs,
  auditSeals,
  counters,
  type Db,
  findRefusedCondition,
  organizationDomains,
  organizations,
  outbox,
  payees,
  preconditions,
  requireConditions,
  verifications,
} from "@db/database";
import { isConstraintError, isUniqueError } from "@db/errors";
import { releaseLease, takeTurn } from "@db/lease";
import { readMigrationState } from "@db/migration-state";
import journal from "@db/migrations/meta/_journal.json";
import { clearHits, countHit, readHits } from "@db/rate-counter";
import { and, eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { describe, expect, test } from "vitest";
import { PLATFORM_ORGANIZATION_ID } from "~/services-and-actor";

const NOW = 1_780_000_000_000;

async function anOrganization(db: Db) {
  const id = uuidv7();
  await db.insert(organizations).values({ id, name: "Tidewater Foods", createdAt: NOW, updatedAt: NOW });
  return id;
}

function payeeRow(organizationId: string, accountNumber = "12345678") {
  const id = uuidv7();
  const names = { name: "Fern & Co", accountName: "Fern and Co" };
  const hashes = { hash: `t:${id}`, accountFingerprint: `t:062000:${accountNumber}` };
  return { id, organizationId, ...names, bsb: "062000", accountNumber, ...hashes, createdAt: NOW, updatedAt: NOW };
}

async function counterOf(db: Db, organizationId: string, name: string) {
  const [row] = await db
    .select()
    .from(counters)
    .where(and(eq(counters.organizationId, organizationId), eq(counters.name, name)));
  return row?.value ?? 0;
}

/** The behaviour that every command relies on: the same suite runs on D1 in workerd and on libSQL in Node. */
export function describeDataLayer(name: string, open: () => Promise<Db>): void {
  describe(name, () => {
    test("says that it has every migration of this build", async () => {
      expect(await readMigrationState(await open())).toEqual({
        applied: journal.entries.at(-1)?.tag,
        isReady: true,
        isBuildTooOld: false,
      });
    });

    test("twelve who ask at once get turns one after another, and who would wait too long gets none", async () => {
      const db = await open();
      const turn = { name: `turns-${uuidv7()}`, everyMs: 150, withinMs: 1_000, now: NOW };
      const taken = await Promise.all(Array.from({ length: 12 }, () => takeTurn(db, turn)));
      const given = taken.filter((at) => at !== undefined).sort((a, b) => a - b);
      expect(given.map((at) => at - NOW)).toEqual([0, 150, 300, 450, 600, 750, 900]);
      expect(await takeTurn(db, { ...turn, now: NOW + 5_000 })).toBe(NOW + 5_000);
      await releaseLease(db, turn.name, "turns");
    });

    test("a batch is all or nothing", async () => {
      const db = await open();
      const id = await anOrganization(db);
      const domain = { organizationId: id, domain: "tidewater.example", createdAt: NOW, updatedAt: NOW };
      const twice = db.batch([
        db.insert(organizationDomains).values({ id: uuidv7(), ...domain }),
        db.insert(organizationDomains).values({ id: uuidv7(), ...domain }),
      ]);
      const error = await twice.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(isConstraintError(error)).toBe(true);
      expect(isUniqueError(error, "organization_domains")).toBe(true);
      expect(isUniqueError(error, "users.email")).toBe(false);
      const left = await db.select().from(organizationDomains).where(eq(organizationDomains.organizationId, id));
      expect(left).toEqual([]);
    });

    test("selects that are asked together answer what each answers alone", async () => {
      const db = await open();
      const id = await anOrganization(db);
      await db.insert(payees).values([payeeRow(id, "1111"), payeeRow(id, "2222")]);
      const accounts = () =>
        db
          .select({
            organization: organizations.name,
            payee: { number: payees.accountNumber, digits: sql<number>`length(${payees.accountNumber})` },
          })
          .from(payees)
          .innerJoin(organizations, eq(organizations.id, payees.organizationId))
          .where(eq(payees.organizationId, id))
          .orderBy(payees.accountNumber);
      const nothing = () => db.select().from(payees).where(eq(payees.organizationId, "nobody"));
      expect(await Promise.all([accounts(), nothing()])).toEqual([
        [
          { organization: "Tidewater Foods", payee: { number: "1111", digits: 4 } },
          { organization: "Tidewater Foods", payee: { number: "2222", digits: 4 } },
        ],
        [],
      ]);
      expect(await Promise.all([accounts(), nothing()])).toEqual([await accounts(), await nothing()]);
    });

    test("a batch whose condition does not hold changes nothing, and one that holds leaves no trace of it", async () => {
      const db = await open();
      const id = await anOrganization(db);
      const named = (name: string) => ({
        name: "renamed_already",
        found: db
          .select({ one: sql`1` })
          .from(organizations)
          .where(and(eq(organizations.id, id), eq(organizations.name, name))),
      });
      const rename = (expected: string, next: string) =>
        db.batch([
          requireConditions(db, [named(expected)]),
          db.update(organizations).set({ name: next }).where(eq(organizations.id, id)),
        ] as never);
      const refused = await rename("Somebody Else", "Never").then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(findRefusedCondition(refused, [named("Somebody Else")])).toBe("renamed_already");
      await rename("Tidewater Foods", "Tidewater Group");
      const [row] = await db.select().from(organizations).where(eq(organizations.id, id));
      expect(row?.name).toBe("Tidewater Group");
      expect(await db.select().from(preconditions)).toEqual([]);
    });

    test("of twenty at once who claim the same row exactly one gets it", async () => {
      const db = await open();
      const id = uuidv7();
      await db.insert(outbox).values({ id, queue: "jobs", kind: "email", dueAt: NOW, createdAt: NOW });
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          db
            .update(outbox)
            .set({ leaseId: `lease-${n}` })
            .where(and(eq(outbox.id, id), sql`${outbox.leaseId} IS NULL`))
            .returning(),
        ),
      );
      expect(claims.filter((rows) => rows.length === 1)).toHaveLength(1);
    });

    test("foreign keys carry the organisation: a verification cannot name another organisation's payee", async () => {
      const db = await open();
      const [mine, theirs] = [await anOrganization(db), await anOrganization(db)];
      const payee = payeeRow(theirs);
      await db.insert(payees).values(payee);
      const open_ = { id: uuidv7(), payeeId: payee.id, method: "manual" as const, createdAt: NOW };
      const details = { accountName: payee.accountName, bsb: payee.bsb, accountNumber: payee.accountNumber };
      const foreign = db.insert(verifications).values({ ...open_, ...details, organizationId: mine });
      await expect(foreign.then(() => "written", isConstraintError)).resolves.toBe(true);
      await db.insert(verifications).values({ ...open_, ...details, organizationId: theirs });
    });

    test("enumerations and flags are kept by the database too", async () => {
      const db = await open();
      const id = await anOrganization(db);
      const wrong = db.run(sql`UPDATE organizations SET "subscriptionStatus" = 'free' WHERE id = ${id}`);
      await expect(Promise.resolve(wrong).then(() => "written", isConstraintError)).resolves.toBe(true);
      const flag = db.run(sql`UPDATE organizations SET active = 2 WHERE id = ${id}`);
      await expect(Promise.resolve(flag).then(() => "written", isConstraintError)).resolves.toBe(true);
    });

    test("counts follow the rows they count", async () => {
      const db = await open();
      const id = await anOrganization(db);
      const payee = payeeRow(id);
      await db.insert(payees).values(payee);
      const details = { accountName: payee.accountName, bsb: payee.bsb, accountNumber: payee.accountNumber };
      const verification = { id: uuidv7(), organizationId: id, payeeId: payee.id, method: "manual" as const };
      await db.insert(verifications).values({ ...verification, ...details, createdAt: NOW });
      expect(await counterOf(db, id, "payees")).toBe(1);
      expect(await counterOf(db, id, "pendingVerifications")).toBe(1);
      await db.update(verifications).set({ status: "verified" }).where(eq(verifications.id, verification.id));
      await db.update(payees).set({ whitelisted: true }).where(eq(payees.id, payee.id));
      await db.update(payees).set({ whitelisted: true }).where(eq(payees.id, payee.id));
      expect(await counterOf(db, id, "pendingVerifications")).toBe(0);
      expect(await counterOf(db, id, "whitelistedPayees")).toBe(1);
    });

    test("a payee has at most one pending verification", async () => {
      const db = await open();
      const id = await anOrganization(db);
      const payee = payeeRow(id);
      await db.insert(payees).values(payee);
      const pending = () => ({
        id: uuidv7(),
        organizationId: id,
        payeeId: payee.id,
        method: "manual" as const,
        accountName: payee.accountName,
        bsb: payee.bsb,
        accountNumber: payee.accountNumber,
        createdAt: NOW,
      });
      await db.insert(verifications).values(pending());
      const second = db.insert(verifications).values(pending());
      await expect(second.then(() => "written", isConstraintError)).resolves.toBe(true);
    });

    test("the audit trail and its seals refuse change and removal", async () => {
      const db = await open();
      const id = uuidv7();
      const organizationId = PLATFORM_ORGANIZATION_ID;
      const [entry] = await db
        .insert(auditLogs)
        .values({ id, organizationId, action: "session.refused", createdAt: NOW })
        .returning({ position: auditLogs.position });
      const position = entry?.position ?? 0;
      await db
        .insert(auditSeals)
        .values({ organizationId, seq: position, position, prevHash: "0", hash: "1", sealedAt: NOW });
      const refused = (work: PromiseLike<unknown>) =>
        Promise.resolve(work).then(
          () => "done",
          () => "refused",
        );
      expect(await refused(db.update(auditLogs).set({ action: "x" }).where(eq(auditLogs.id, id)))).toBe("refused");
      expect(await refused(db.delete(auditLogs).where(eq(auditLogs.id, id)))).toBe("refused");
      expect(await refused(db.update(auditSeals).set({ hash: "2" }).where(eq(auditSeals.position, position)))).toBe(
        "refused",
      );
      expect(await refused(db.delete(auditSeals).where(eq(auditSeals.position, position)))).toBe("refused");
    });

    test("a write whose acknowledgement was lost is recognised as our own", async () => {
      const db = await open();
      const id = uuidv7();
      const statement = db.insert(organizations).values({ id, name: "Once", createdAt: NOW, updatedAt: NOW });
      const forgetful = losingAcknowledgements(db, 1);
      const isOurs = async () => (await db.select().from(organizations).where(eq(organizations.id, id))).length === 1;
      await commit(forgetful, [statement], isOurs);
      expect(await isOurs()).toBe(true);
      await expect(commit(db, [statement], async () => true)).rejects.toThrow();
    });

    test("hits are counted in windows, each key for itself", async () => {
      const db = await open();
      const key = `test:${uuidv7()}`;
      expect((await countHit(db, key, 1_000, NOW)).count).toBe(1);
      expect((await countHit(db, key, 1_000, NOW + 999)).count).toBe(2);
      expect(await readHits(db, key, NOW + 999)).toBe(2);
      expect(await readHits(db, key, NOW + 1_000)).toBe(0);
      expect(await countHit(db, key, 1_000, NOW + 1_000)).toEqual({ count: 1, windowEndsAt: NOW + 2_000 });
      await clearHits(db, key);
      expect(await readHits(db, key, NOW + 1_000)).toBe(0);
    });
  });
}

/** A database whose first `times` batches commit and then lose the answer. */
export function losingAcknowledgements(db: Db, times: number): Db {
  let left = times;
  return new Proxy(db, {
    get(target, property) {
      const member = Reflect.get(target, property);
      if (property !== "batch") return typeof member === "function" ? member.bind(target) : member;
      return async (...statements: Parameters<Db["batch"]>) => {
        const result = await target.batch(...statements);
        if (left-- > 0) throw new Error("D1_ERROR: Network connection lost.");
        return result;
      };
    },
  });
}

/** A database whose first `times` batches fail before anything is written. */
export function failingBeforeCommit(db: Db, times: number, message = "D1_ERROR: Network connection lost."): Db {
  let left = times;
  return new Proxy(db, {
    get(target, property) {
      const member = Reflect.get(target, property);
      if (property !== "batch") return typeof member === "function" ? member.bind(target) : member;
      return async (...statements: Parameters<Db["batch"]>) => {
        if (left-- > 0) throw new Error(message);
        return target.batch(...statements);
      };
    },
  });
}
