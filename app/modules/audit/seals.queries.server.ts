import { auditLogs, auditSeals } from "@db/schema";
import { and, asc, eq, gt, lte, max } from "drizzle-orm";
import type { Services } from "~/services";
import { auditColumns } from "./audit.columns.server";
import { type AuditRow, FIRST_PREV_HASH, sealText, toExportedEntry } from "./entry";

type Reading = Pick<Services, "db">;

const PAGE_SIZE = 500;

/** A tip that was noted down elsewhere: the hash of entry number `count`. */
export type Anchor = { count: number; hash: string };

export type TrailReport = {
  ok: boolean;
  /** Sealed entries found unbroken, from the first on. */
  checked: number;
  /** Newest entries that the sealer has not reached yet. */
  unsealed: number;
  /** `seq` of the first entry that was changed, removed or slipped in. */
  brokenAt?: number;
  /** Hash of the last entry checked, to be kept elsewhere with `checked` as an anchor. */
  hash: string;
};

type Seal = { organizationId: string; seq: number; prevHash: string; hash: string };
type SealedRow = AuditRow & { position: number; seal: Seal | null };

/**
 * Recomputes an organisation's chain from its first entry. An anchor also finds a trail whose end was cut off, or that
 * was sealed anew as a whole.
 */
export async function verifyTrail(
  services: Pick<Services, "db" | "secrets">,
  organizationId: string,
  anchor?: Anchor,
): Promise<TrailReport> {
  const state = { checked: 0, unsealed: 0, hash: FIRST_PREV_HASH };
  const broken = (): TrailReport => ({ ok: false, brokenAt: state.checked + 1, ...state });
  for (let position = 0; ; ) {
    const rows = await readRows(services, organizationId, position);
    const hashes = await Promise.all(
      rows.map((row) => row.seal && services.secrets.hashToken(sealText(row, row.seal.seq, row.seal.prevHash))),
    );
    for (const [i, { seal }] of rows.entries()) {
      if (!seal) {
        state.unsealed++;
        continue;
      }
      const seq = state.checked + 1;
      const isNext = state.unsealed === 0 && seal.seq === seq && seal.prevHash === state.hash;
      const isAnchored = anchor?.count !== seq || anchor.hash === seal.hash;
      if (!isNext || !isAnchored || seal.organizationId !== organizationId || hashes[i] !== seal.hash) return broken();
      state.checked = seq;
      state.hash = seal.hash;
    }
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_SIZE) break;
    position = last.position;
  }
  const tip = await findTip(services, organizationId);
  if ((tip?.count ?? 0) > state.checked || (anchor?.count ?? 0) > state.checked) return broken();
  return { ok: true, ...state };
}

function readRows({ db }: Reading, organizationId: string, position: number): Promise<SealedRow[]> {
  return db
    .select({
      position: auditLogs.position,
      ...auditColumns,
      seal: {
        organizationId: auditSeals.organizationId,
        seq: auditSeals.seq,
        prevHash: auditSeals.prevHash,
        hash: auditSeals.hash,
      },
    })
    .from(auditLogs)
    .leftJoin(auditSeals, eq(auditSeals.position, auditLogs.position))
    .where(and(eq(auditLogs.organizationId, organizationId), gt(auditLogs.position, position)))
    .orderBy(asc(auditLogs.position))
    .limit(PAGE_SIZE);
}

/** The newest seal of an organisation: an anchor to keep elsewhere; undefined before the first. */
export async function findTip({ db }: Reading, organizationId: string): Promise<Anchor | undefined> {
  const newest = db
    .select({ seq: max(auditSeals.seq) })
    .from(auditSeals)
    .where(eq(auditSeals.organizationId, organizationId));
  const [row] = await db
    .select({ count: auditSeals.seq, hash: auditSeals.hash })
    .from(auditSeals)
    .where(and(eq(auditSeals.organizationId, organizationId), eq(auditSeals.seq, newest)));
  return row;
}

/** Every sealed entry up to the tip as it is now, oldest first, as lines of JSON. Read in pages while it is sent. */
export async function exportTrail(services: Reading, organizationId: string): Promise<ReadableStream<Uint8Array>> {
  const tip = await findTip(services, organizationId);
  const encoder = new TextEncoder();
  let seq = 0;
  return new ReadableStream({
    async pull(controller) {
      const rows = await readSealed(services, organizationId, seq, tip?.count ?? 0);
      const lines = rows.map(({ seal, ...row }) => {
        const entry = { ...toExportedEntry(row, seal.seq), prevHash: seal.prevHash, hash: seal.hash };
        return `${JSON.stringify(entry)}\n`;
      });
      if (lines.length > 0) controller.enqueue(encoder.encode(lines.join("")));
      seq = rows.at(-1)?.seal.seq ?? seq;
      if (rows.length < PAGE_SIZE) controller.close();
    },
  });
}

function readSealed({ db }: Reading, organizationId: string, afterSeq: number, upToSeq: number) {
  return db
    .select({
      ...auditColumns,
      seal: { seq: auditSeals.seq, prevHash: auditSeals.prevHash, hash: auditSeals.hash },
    })
    .from(auditSeals)
    .innerJoin(auditLogs, eq(auditLogs.position, auditSeals.position))
    .where(
      and(eq(auditSeals.organizationId, organizationId), gt(auditSeals.seq, afterSeq), lte(auditSeals.seq, upToSeq)),
    )
    .orderBy(asc(auditSeals.seq))
    .limit(PAGE_SIZE);
}
