import { payees } from "@db/database";
import { sql } from "drizzle-orm";
import { formatAbn, parseAbn } from "~/kernel/abn";
import { AppError } from "~/kernel/app-error";
import { formatBsb, parseAccountNumber, parseBsb } from "~/kernel/bank-account";
import { fieldConstraints } from "~/kernel/fields.schema.server";
import { appPaths } from "~/kernel/paths/app";
import { PAYEE_FIELDS, type PayeeDetails, type PayeeField } from "~/kernel/payee";
import { formatPhone } from "~/kernel/phone";
import { payeesWithTerms, rangesOf } from "~/modules/core/search-words.server";
import { offerFromRegister } from "~/modules/directories/register.server";
import type { Asking, ReadServices, Services, WriteServices } from "~/services-and-actor";
import { findPayeeByAccount, getPayee, type PayeeRow } from "./payee.server";
import { payeeFields } from "./payee-fields.server";

/** HTML attributes for the payee fields, from the rules that check a post. */
export const payeeConstraints = fieldConstraints(payeeFields);

const ALREADY_SENT =
  "This form was already sent with different details. Check whether the payee is there; to add another one, send the form again.";

/** Rewords a refusal for the form that adds a payee. */
export function describeAdding(error: AppError): AppError {
  return error.code === "IDEMPOTENCY_CONFLICT" ? new AppError(error.code, ALREADY_SENT) : error;
}

/** The initial values of the empty form. */
export const EMPTY_VALUES = Object.fromEntries(PAYEE_FIELDS.map((field) => [field, ""])) as Record<PayeeField, string>;

/** Reads the page that edits a payee, with the full account number: the caller records it. @throws AppError 404 */
export async function readEditPage(services: ReadServices, actor: Asking, payeeId: string) {
  const payee = await getPayee(services, actor, payeeId);
  const { id, name, version } = payee;
  return { id, name, version, values: toFormValues(payee), constraints: payeeConstraints };
}

export function toFormValues({ name, accountName, bsb, accountNumber, ...rest }: PayeeDetails): typeof EMPTY_VALUES {
  return {
    name,
    accountName,
    bsb: formatBsb(bsb),
    accountNumber,
    abn: rest.abn ? formatAbn(rest.abn) : "",
    email: rest.email ?? "",
    phone: rest.phone ? formatPhone(rest.phone) : "",
    address: rest.address ?? "",
  };
}

/** At most this many payees with the same ABN are named. */
const MAX_SAME_ABN = 5;

export type KnownPayee = Awaited<ReturnType<typeof findKnownPayees>>[number];

/** The payees that have the account or ABN being typed, once complete. @param exceptId the payee being edited */
export async function findKnownPayees(services: ReadServices, actor: Asking, form: FormData, exceptId = "") {
  const bsb = parseBsb(textOf(form, "bsb"));
  const accountNumber = parseAccountNumber(textOf(form, "accountNumber"));
  const abn = parseAbn(textOf(form, "abn"));
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

type Row = Pick<PayeeRow, "id" | "name" | "archivedAt">;

const findByAbn = ({ db }: ReadServices, actor: Asking, abn: string, exceptId: string): Promise<Row[]> =>
  db.all<Row>(sql`SELECT ${payees.id}, ${payees.name}, ${payees.archivedAt} FROM ${payees}
    WHERE ${payees.organizationId} = ${actor.organizationId} AND ${payees.abn} = ${abn} AND ${payees.id} <> ${exceptId}
    AND ${payees.id} IN (${payeesWithTerms(actor, rangesOf(abn))}) LIMIT ${MAX_SAME_ABN}`);

function toKnown({ id, name, archivedAt }: Row, what: "account" | "ABN") {
  const archived = archivedAt === null ? "" : " It is archived; restore it instead.";
  return { href: appPaths.payee(id), name, sentence: `already has this ${what}.${archived}` };
}

const textOf = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
};

/** The form's "who has this already?" step. Undefined when the form asks for something else. */
export async function findKnownFromForm(services: ReadServices, actor: Asking, form: FormData, exceptId?: string) {
  if (form.get("intent") !== "known") return undefined;
  return { next: { known: await findKnownPayees(services, actor, form, exceptId) } };
}

/**
 * The form's look-up in the business register: the form values filled in from the register, and what it offers next;
 * undefined when the form asks for something else.
 * @throws AppError 400 with a sentence beside the ABN
 */
export async function lookUpFromForm(services: WriteServices & Pick<Services, "businessRegister">, form: FormData) {
  const takenAbn = textOf(form, "takeAbn");
  const takenName = textOf(form, "takeName");
  if (takenAbn) form.set("abn", formatAbn(takenAbn));
  if (takenName) form.set("name", takenName);
  if (!takenAbn && !takenName && form.get("intent") !== "look-up") return undefined;
  const name = textOf(form, "name") || textOf(form, "accountName");
  return { next: { register: await offerFromRegister(services, { abn: textOf(form, "abn"), name }) } };
}
