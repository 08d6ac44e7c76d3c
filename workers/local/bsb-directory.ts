import { bsbDirectory } from "@db/schema";
import { sql } from "drizzle-orm";
import * as z from "zod";
import { json } from "~/http/api.server";
import { check, readText } from "~/http/body.server";
import { BSB_STATUSES } from "~/kernel/enums";
import type { Services } from "~/services";

const MAX_BYTES = 1024 * 1024;
/** D1 binds at most 100 parameters to a statement: the rows travel as one JSON text instead. */
const rowsSchema = z.object({
  rows: z
    .array(
      z.object({
        bsb: z.string().regex(/^\d{6}$/),
        mnemonic: z.string(),
        name: z.string(),
        street: z.string().nullable(),
        suburb: z.string().nullable(),
        state: z.string().nullable(),
        postcode: z.string().nullable(),
        paper: z.boolean(),
        electronic: z.boolean(),
        highValue: z.boolean(),
        status: z.enum(BSB_STATUSES),
        successorBsb: z
          .string()
          .regex(/^\d{6}$/)
          .nullable(),
      }),
    )
    .max(1000),
});

const TEXT_COLUMNS = ["bsb", "mnemonic", "name", "street", "suburb", "state", "postcode", "status", "successorBsb"];
const FLAG_COLUMNS = ["paper", "electronic", "highValue"];

/** Loads rows of the BSB directory, replacing those already there. */
export async function loadBsbDirectory(request: Request, _url: URL, { db, clock }: Services): Promise<Response> {
  const { rows } = check(rowsSchema, JSON.parse(await readText(request, MAX_BYTES)));
  const columns = [...TEXT_COLUMNS, ...FLAG_COLUMNS];
  const names = sql.raw(columns.map((column) => `"${column}"`).join(", "));
  const values = sql.raw(columns.map((column) => `value ->> '${column}'`).join(", "));
  const updates = sql.raw(
    [...columns.slice(1), "loadedAt"].map((column) => `"${column}" = excluded."${column}"`).join(", "),
  );
  await db.run(
    sql`INSERT INTO ${bsbDirectory} (${names}, "loadedAt") SELECT ${values}, ${clock.now()} FROM json_each(${JSON.stringify(rows)}) WHERE true
        ON CONFLICT ("bsb") DO UPDATE SET ${updates}`,
  );
  return json({ loaded: rows.length });
}
