import { paymentFileBytes } from "@db/schema";
import { and, asc, eq } from "drizzle-orm";
import type { Services } from "~/services";
import { contextOfPart } from "./file-bytes.statements.server";

const encoder = new TextEncoder();

/** The code of each character: what `insertBytes` made a character of. */
function toCodes(text: string): Uint8Array {
  const encoded = encoder.encode(text);
  return encoded.length === text.length ? encoded : Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

/** The bytes of an uploaded or cleared file, as they were. @throws Error when a part is missing or damaged */
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
