import { paymentFileBytes, type Statement } from "@db/database";
import { and, asc, eq } from "drizzle-orm";
import type { EncryptedColumn } from "~/modules/core/operations/reencrypt-columns.server";
import type { Services } from "~/services-and-actor";

const encoder = new TextEncoder();

/** Turns the characters that `insertBytes` stored back into bytes. */
function toCodes(text: string): Uint8Array {
  const encoded = encoder.encode(text);
  return encoded.length === text.length ? encoded : Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

/** The bytes of an uploaded or cleared file, unchanged. @throws Error when a part is missing or damaged */
export async function getBytes(
  { db, secrets }: Pick<Services, "db" | "secrets">,
  { organizationId, ownerId, byteCount }: { organizationId: string; ownerId: string; byteCount: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const rows = await db
    .select({ part: paymentFileBytes.part, sealed: paymentFileBytes.sealed })
    .from(paymentFileBytes)
    .where(and(eq(paymentFileBytes.organizationId, organizationId), eq(paymentFileBytes.ownerId, ownerId)))
    .orderBy(asc(paymentFileBytes.part));
  const bytes = new Uint8Array(byteCount);
  let at = 0;
  for (const { part, sealed } of rows) {
    const text = await secrets.open(sealed, contextOfPart(ownerId, part));
    bytes.set(toCodes(text), at);
    at += text.length;
  }
  if (at !== byteCount) throw new Error(`a payment file has ${at} bytes instead of ${byteCount}`);
  return bytes;
}

/** Bytes in one row: encrypted and encoded as text they take at most 1.4 MB, below D1's limit of 2 MB for a row. */
const PART_BYTES = 512 * 1024;
/** How many arguments one `String.fromCharCode` call takes. */
const CODES_PER_CALL = 8_192;
const decoder = new TextDecoder();

function isAscii(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte >= 0x80) return false;
  return true;
}

/** The context that each part is encrypted with, so that no part can be swapped for another. */
const contextOfPart = (ownerId: string, part: number): string => `payment-file:${ownerId}:${part}`;

/** The stored parts of files, for re-encryption with a new key. */
export const encryptedFileParts: EncryptedColumn = {
  table: paymentFileBytes,
  column: paymentFileBytes.sealed,
  key: [paymentFileBytes.organizationId, paymentFileBytes.ownerId, paymentFileBytes.part],
  contextOf: (_, ownerId = "", part) => contextOfPart(ownerId, Number(part)),
};

/** Bytes as text with one character for each byte. */
function toCharacters(bytes: Uint8Array): string {
  if (isAscii(bytes)) return decoder.decode(bytes);
  let text = "";
  for (let at = 0; at < bytes.length; at += CODES_PER_CALL) {
    text += String.fromCharCode(...bytes.subarray(at, at + CODES_PER_CALL));
  }
  return text;
}

/** Statements that store the encrypted bytes of an uploaded or cleared file, for the batch that creates it. */
export async function insertBytes(
  { db, secrets }: Pick<Services, "db" | "secrets">,
  owner: { organizationId: string; ownerId: string },
  bytes: Uint8Array,
): Promise<Statement[]> {
  const statements: Statement[] = [];
  for (let at = 0, part = 0; at < bytes.length; at += PART_BYTES, part++) {
    const text = toCharacters(bytes.subarray(at, at + PART_BYTES));
    const sealed = await secrets.seal(text, contextOfPart(owner.ownerId, part));
    statements.push(db.insert(paymentFileBytes).values({ ...owner, part, sealed }));
  }
  return statements;
}
