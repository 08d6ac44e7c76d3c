import { payees } from "@db/schema";
import { sql } from "drizzle-orm";
import { parseAbn } from "~/kernel/abn";
import { parseAccountNumber } from "~/kernel/account-number";
import { parseBsb } from "~/kernel/bsb";
import { appPaths } from "~/kernel/paths/app";
import { payeesWithTerms, rangesOf } from "~/modules/core/search-words.server";
import type { ReadServices } from "~/services";
import { type Asking, findPayeeByAccount } from "./payee.queries.server";
import type { KnownPayee } from "./payee.view";

/** Of one ABN more payees than these say nothing more. */
const MAX_SAME_ABN = 5;

/** What a person has typed so far; what cannot be read yet is left out. */
type Typed = { bsb: string; accountNumber: string; abn: string };

/** Payees of the organisation that have the account or the ABN that is being typed. `exceptId`: the one being edited. */
export async function findKnownPayees(
  services: ReadServices,
  actor: Asking,
  typed: Typed,
  exceptId = "",
): Promise<KnownPayee[]> {
  const [bsb, accountNumber, abn] = [parseBsb(typed.bsb), parseAccountNumber(typed.accountNumber), parseAbn(typed.abn)];
  const account = bsb && accountNumber ? { bsb, accountNumber } : undefined;
  const [holder, sameAbn] = await Promise.all([
    account && findPayeeByAccount(services, actor.organizationId, account, exceptId),
    abn === undefined ? [] : findByAbn(services, actor, abn, exceptId),
  ]);
  return [
    ...(holder ? [toKnown(holder, "account")] : []),
    ...sameAbn.filter(({ id }) => id !== holder?.id).map((payee) => toKnown(payee, "ABN")),
  ];
}

type Row = { id: string; name: string; archivedAt: number | null };

const findByAbn = ({ db }: ReadServices, actor: Asking, abn: string, exceptId: string): Promise<Row[]> =>
  db.all<Row>(sql`SELECT ${payees.id}, ${payees.name}, ${payees.archivedAt} FROM ${payees}
    WHERE ${payees.organizationId} = ${actor.organizationId} AND ${payees.abn} = ${abn} AND ${payees.id} <> ${exceptId}
    AND ${payees.id} IN (${payeesWithTerms(actor, rangesOf(abn))}) LIMIT ${MAX_SAME_ABN}`);

function toKnown({ id, name, archivedAt }: Row, what: "account" | "ABN"): KnownPayee {
  const archived = archivedAt === null ? "" : " It is archived; restore it instead.";
  return { href: appPaths.payee(id), name, sentence: `has this ${what} already.${archived}` };
}

const textOf = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
};

export const typedIn = (form: FormData): Typed => ({
  bsb: textOf(form, "bsb"),
  accountNumber: textOf(form, "accountNumber"),
  abn: textOf(form, "abn"),
});

/** The form's own step: who has the account or ABN already. Undefined when the form asks for something else. */
export async function findKnownFromForm(services: ReadServices, actor: Asking, form: FormData, exceptId?: string) {
  if (form.get("intent") !== "known") return undefined;
  return { next: { known: await findKnownPayees(services, actor, typedIn(form), exceptId) } };
}
