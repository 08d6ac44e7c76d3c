import type { Statement } from "@db/client";
import { paymentFileBytes } from "@db/schema";
import type { Services } from "~/services";

/** Bytes in one row: encrypted and written as text they are at most 1.4 MB, below the 2 MB that a row of D1 may have. */
const PART_BYTES = 512 * 1024;
/** As many characters as one call takes. */
const CODES_PER_CALL = 8_192;
const decoder = new TextDecoder();

function isAscii(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte >= 0x80) return false;
  return true;
}

/** What the encryption of a part is bound to: a part cannot stand in another's place. */
export const contextOfPart = (ownerId: string, part: number): string => `payment-file:${ownerId}:${part}`;

/** Bytes as text with one character for each, whatever they mean. */
function toCharacters(bytes: Uint8Array): string {
  if (isAscii(bytes)) return decoder.decode(bytes);
  let text = "";
  for (let at = 0; at < bytes.length; at += CODES_PER_CALL) {
    text += String.fromCharCode(...bytes.subarray(at, at + CODES_PER_CALL));
  }
  return text;
}

/** The encrypted bytes of an uploaded or cleared file, for the batch that makes it. */
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
