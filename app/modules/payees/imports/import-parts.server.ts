import { payeeImportParts } from "@db/schema";
import { and, eq } from "drizzle-orm";
import { fromBase64Url, toBase64Url } from "~/kernel/base64";
import type { Services } from "~/services";
import type { TableRow } from "./table/read-table";

/** The rows of a file, some hundred together, compressed and encrypted: what one slice of work reads. */

type Owner = { organizationId: string; importId: string };

const contextOf = (importId: string, part: number) => `payee-import:${importId}:${part}`;

const toRows = (text: string): TableRow[] =>
  (JSON.parse(text) as [number, string[]][]).map(([line, cells]) => ({ line, cells }));

/** Rows as one text, until they are sealed. */
export const packRows = (rows: readonly TableRow[]): string =>
  JSON.stringify(rows.map(({ line, cells }) => [line, cells]));

/** A text of `packRows` as it is stored. */
export async function sealPart({ secrets }: Pick<Services, "secrets">, importId: string, part: number, packed: string) {
  const bytes = await through(new CompressionStream("gzip"), new TextEncoder().encode(packed));
  return secrets.seal(toBase64Url(bytes), contextOf(importId, part));
}

/** The rows of a part; undefined when the import has ended meanwhile. @throws Error when they are damaged */
export async function findPart({ db, secrets }: Pick<Services, "db" | "secrets">, owner: Owner, part: number) {
  const [row] = await db
    .select({ sealed: payeeImportParts.sealed })
    .from(payeeImportParts)
    .where(
      and(
        eq(payeeImportParts.organizationId, owner.organizationId),
        eq(payeeImportParts.importId, owner.importId),
        eq(payeeImportParts.part, part),
      ),
    );
  if (!row) return undefined;
  const bytes = fromBase64Url(await secrets.open(row.sealed, contextOf(owner.importId, part)));
  if (!bytes) throw new Error(`part ${part} of an import is damaged`);
  return toRows(new TextDecoder().decode(await through(new DecompressionStream("gzip"), bytes)));
}

async function through(
  stream: CompressionStream | DecompressionStream,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const piped = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}
