import type { Statement } from "@db/client";
import { insertRows } from "@db/insert-rows";
import { payeeImportRows, payeeImports } from "@db/schema";
import { sql } from "drizzle-orm";
import { maskAccountNumber } from "~/kernel/account-number";
import type { RowOutcome } from "~/kernel/enums";
import { findPolicy } from "~/modules/accounts/organizations/policies/policy.server";
import type { Acting, CommandAudit } from "~/modules/core/commands/run-command.server";
import { fillPayees } from "~/modules/payees/payee.statements.server";
import type { Services, WriteServices } from "~/services";
import { addPayees, toFilled } from "./add-payees.server";
import type { RowResult } from "./import";
import type { PayeeImport } from "./import.server";
import { updateImport } from "./import.server";
import { findPart } from "./import-parts.server";
import { type JudgedRow, type JudgedRows, judgeRows, toResults } from "./judge-rows.server";

type Taking = WriteServices & Pick<Services, "secrets">;

/** One slice of an import, ready to be written. */
export type Slice = {
  /** Who brought the file: added payees are their work, not the queue's. */
  actor: Acting;
  statements: Statement[];
  audit: CommandAudit[];
  /** A payee or a row that another request wrote meanwhile. */
  uniques: Record<"account_taken" | "row_taken" | "verification_open", string>;
};

/**
 * Looks up everything that the next rows need, and gives what is to be written.
 * @returns undefined when the import has ended since it was read
 */
export async function processPart(services: Taking, found: PayeeImport): Promise<Slice | undefined> {
  const { organizationId, id: importId, mapping, zeroColumns, doneParts } = found;
  const owner = { organizationId, importId };
  const rows = await findPart(services, owner, doneParts);
  if (!rows) return undefined;
  const { timeZone } = await findPolicy(services, organizationId);
  const judged = await judgeRows(services, organizationId, { rows, mapping, zeroColumns, timeZone });
  const requestId = `import:${importId}`;
  const actor: Acting = {
    userId: found.uploadedById,
    organizationId,
    origin: { ipAddress: null, userAgent: null, requestId },
  };
  const added = judged.judged.filter(({ judgement }) => judgement.outcome === "added");
  const results = toResults(judged);
  return {
    actor,
    uniques: { account_taken: "payees", row_taken: "payee_import_rows", verification_open: "verifications" },
    statements: [
      ...(await addPayees(services, actor, added)),
      ...fillPayees(services, actor, judged.judged.flatMap(toFilled)),
      ...insertRows(
        services.db,
        payeeImportRows,
        results.map((result) => ({ ...owner, ...result })),
      ),
      updateImport(services, owner, {
        doneParts: doneParts + 1,
        problem: null,
        ...counted(results, judged),
      }),
    ],
    audit: judged.judged.flatMap((row) => auditOf(row, found)),
  };
}

const COUNTS: Record<
  RowOutcome,
  "addedCount" | "unchangedCount" | "filledCount" | "differsCount" | "noAccountCount" | "refusedCount"
> = {
  added: "addedCount",
  unchanged: "unchangedCount",
  filled: "filledCount",
  differs: "differsCount",
  no_account: "noAccountCount",
  refused: "refusedCount",
};

function counted(results: readonly RowResult[], { judged }: JudgedRows) {
  const more = (column: keyof typeof payeeImports.$inferSelect, by: number) => sql`${payeeImports[column]} + ${by}`;
  const entries = Object.entries(COUNTS).map(([outcome, column]) => {
    return [column, more(column, results.filter((result) => result.outcome === outcome).length)] as const;
  });
  return {
    ...Object.fromEntries(entries),
    doneCount: more("doneCount", results.length),
    notedCount: more("notedCount", judged.filter(({ row }) => row.notes.length > 0).length),
  };
}

function auditOf({ row, judgement, payeeId }: JudgedRow, { id: importId, name: file }: PayeeImport): CommandAudit[] {
  const onPayee = { entityType: "payee", entityId: payeeId } as const;
  const from = { importId, file, line: row.line };
  if (judgement.outcome === "added") {
    const accountNumber = maskAccountNumber(row.details.accountNumber);
    return [{ ...onPayee, action: "payee.added", details: { ...row.details, accountNumber, ...from } }];
  }
  if (judgement.outcome !== "filled") return [];
  const changes = Object.entries(judgement.fills).map(([field, to]) => ({ field, from: null, to }));
  return [{ ...onPayee, action: "payee.filled", details: { changes, ...from } }];
}
