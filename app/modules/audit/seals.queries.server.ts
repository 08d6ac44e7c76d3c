import { auditLogs, auditSeals } from "@db/schema";
import { and, asc, count, eq, gt, isNull, lte, max } from "drizzle-orm";
import type { Services } from "~/services";
import { auditColumns } from "./audit.columns.server";
import { type AuditRow, FIRST_PREV_HASH, sealText, toExportedEntry } from "./entry";
import { maskEmails } from "./mask-emails";

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
  /** Entries that the sealer has passed and that have no seal: slipped in, or robbed of their seal. */
  unknown: number;
  /** `seq` of the first entry that was changed, removed or slipped in. */
  brokenAt?: number;
  /** Hash of the last entry checked, to be kept elsewhere with `checked` as an anchor. */
  hash: string;
};

type Seal = { organizationId: string; seq: number; prevHash: string; hash: string };
type SealedRow = AuditRow & { position: number; seal: Seal | null };

/**
 * Recomputes an organisation's chain from its first entry. An anchor also finds a trail whose end was cut off, or that
 * was sealed anew as a whole. What is written or sealed while this runs counts as not sealed yet.
 */
export async function verifyTrail(
  services: Pick<Services, "db" | "secrets">,
  organizationId: string,
  anchor?: Anchor,
): Promise<TrailReport> {
  const tip = await findTip(services, organizationId);
  const sealedTo = await findLastSealed(services);
  const unknown = await countUnknown(services, organizationId, sealedTo);
  const state = { checked: 0, unsealed: 0, unknown, hash: FIRST_PREV_HASH };
  const broken = (): TrailReport => ({ ok: false, brokenAt: state.checked + 1, ...state });
  for (let position: number | undefined; ; ) {
    const rows = await readRows(services, organizationId, position);
    for (const { seal, isIntact, ...row } of await hashRows(services, rows)) {
      if (row.position > sealedTo) {
        state.unsealed++;
        continue;
      }
      const seq = state.checked + 1;
      const isNext = seal?.seq === seq && seal.prevHash === state.hash && seal.organizationId === organizationId;
      const isAnchored = anchor?.count !== seq || anchor.hash === seal?.hash;
      if (!seal || !isIntact || !isNext || !isAnchored) return broken();
      state.checked = seq;
      state.hash = seal.hash;
    }
    position = rows.at(-1)?.position;
    if (rows.length < PAGE_SIZE) break;
  }
  if ((tip?.count ?? 0) > state.checked || (anchor?.count ?? 0) > state.checked) return broken();
  return { ok: true, ...state };
}

/** Whether each row is what its seal was computed from. */
function hashRows({ secrets }: Pick<Services, "secrets">, rows: readonly SealedRow[]) {
  return Promise.all(
    rows.map(async (row) => {
      const { seal } = row;
      const isIntact = seal !== null && (await secrets.hashToken(sealText(row, seal.seq, seal.prevHash))) === seal.hash;
      return { ...row, isIntact };
    }),
  );
}

/** Position of the newest entry of any organisation that has a seal: everything up to it was sealed. */
async function findLastSealed({ db }: Reading): Promise<number> {
  const [last] = await db.select({ position: max(auditSeals.position) }).from(auditSeals);
  return last?.position ?? 0;
}

async function countUnknown({ db }: Reading, organizationId: string, sealedTo: number): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(auditLogs)
    .leftJoin(auditSeals, eq(auditSeals.position, auditLogs.position))
    .where(
      and(eq(auditLogs.organizationId, organizationId), lte(auditLogs.position, sealedTo), isNull(auditSeals.position)),
    );
  return row?.count ?? 0;
}

function readRows({ db }: Reading, organizationId: string, after: number | undefined): Promise<SealedRow[]> {
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
    .where(
      and(
        eq(auditLogs.organizationId, organizationId),
        after === undefined ? undefined : gt(auditLogs.position, after),
      ),
    )
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

/**
 * Every sealed entry up to the tip as it is now, oldest first, as lines of JSON. Read in pages while it is sent.
 *
 * `whole` shows the email addresses in details. A line in which one is masked says `"masked": true`: its `hash` is that
 * of the whole entry, and it still follows the line before.
 */
export async function exportTrail(
  services: Reading,
  organizationId: string,
  { whole }: { whole: boolean },
): Promise<ReadableStream<Uint8Array>> {
  const tip = await findTip(services, organizationId);
  const encoder = new TextEncoder();
  let seq = 0;
  return new ReadableStream({
    async pull(controller) {
      const rows = await readSealed(services, organizationId, seq, tip?.count ?? 0);
      const lines = rows.map(({ seal, ...row }) => {
        const details = whole ? row.details : maskEmails(row.details);
        const masked = details === row.details ? {} : { masked: true };
        const entry = toExportedEntry({ ...row, details }, seal.seq);
        return `${JSON.stringify({ ...entry, prevHash: seal.prevHash, hash: seal.hash, ...masked })}\n`;
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
