import { sha256Hex } from "~/kernel/sha256";
import { decodeBytes } from "~/kernel/text-decoding";
import type { Services } from "~/services";
import { type AbaFile, readAba } from "./aba/read-aba";
import { type ClearingDetail, findClearingBySha256, listNewestClearings } from "./clearings.server";
import { compareFiles, countSame, type Difference } from "./compare-files";
import { getBytes } from "./file-bytes.server";
import { MAX_LINES } from "./payment-file";

type Proving = Pick<Services, "db" | "secrets">;
type Asking = { organizationId: string };

export type Proof =
  | { cleared: true; clearing: ClearingDetail }
  | {
      cleared: false;
      sha256: string;
      /** The clearing that the file is most like; null when it is like none of the last ones. */
      nearest: ClearingDetail | null;
      differences: Difference[];
    };

/** Clearings with about as many lines are read and compared. */
const MAX_READ = 5;

/** "Is this the file that was cleared?" By its SHA-256 alone; what differs is only known of a file itself. */
export async function proveHash(services: Proving, actor: Asking, sha256: string): Promise<Proof> {
  const clearing = await findClearingBySha256(services, actor, sha256.toLowerCase());
  return clearing ? { cleared: true, clearing } : { cleared: false, sha256, nearest: null, differences: [] };
}

/** The same by the bytes: a file that was not cleared is compared, line by line, with the cleared file most like it. */
export async function proveFile(services: Proving, actor: Asking, bytes: Uint8Array<ArrayBuffer>): Promise<Proof> {
  const sha256 = await sha256Hex(bytes);
  const proof = await proveHash(services, actor, sha256);
  if (proof.cleared) return proof;
  const reading = readAba(decodeBytes(bytes), MAX_LINES);
  if (!reading.ok) {
    const differences = reading.problems.map(({ line, message }) => ({ kind: "record" as const, line, message }));
    return { ...proof, differences };
  }
  const nearest = await findNearest(services, actor, reading.file);
  if (!nearest) return proof;
  return { ...proof, nearest: nearest.clearing, differences: compareFiles(reading.file, nearest.file) };
}

async function findNearest(services: Proving, actor: Asking, shown: AbaFile) {
  const distance = ({ lineCount }: ClearingDetail) => Math.abs(lineCount - shown.lines.length);
  const likely = (await listNewestClearings(services, actor)).sort((a, b) => distance(a) - distance(b));
  let nearest: { clearing: ClearingDetail; file: AbaFile; same: number } | undefined;
  for (const clearing of likely.slice(0, MAX_READ)) {
    const owner = { organizationId: actor.organizationId, ownerId: clearing.id, byteCount: clearing.byteCount };
    const reading = readAba(decodeBytes(await getBytes(services, owner)), MAX_LINES);
    if (!reading.ok) continue;
    const same = countSame(shown, reading.file);
    if (!nearest || same > nearest.same) nearest = { clearing, file: reading.file, same };
  }
  return nearest;
}
