import { paymentFileBytes } from "@db/schema";
import { and, asc, eq } from "drizzle-orm";
import type { Services } from "~/services";
import { contextOfPart } from "./file-bytes.statements.server";

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
    for (let index = 0; index < text.length; index++) bytes[at++] = text.charCodeAt(index);
  }
  if (at !== byteCount) throw new Error(`a payment file has ${at} bytes instead of ${byteCount}`);
  return bytes;
}
