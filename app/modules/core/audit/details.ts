import { formatAbn } from "~/kernel/abn";
import { formatBsb } from "~/kernel/bank-account";
import { FIELD_LABELS, type PayeeField } from "~/kernel/payee";
import { formatPhone } from "~/kernel/phone";
import { clip, formatCount } from "~/kernel/text";

/** Details of audit entries, and helpers for their sentences. They are JSON, perhaps of an older version. Pure. */

declare const WRITTEN: unique symbol;

type Key<Details> = Details extends unknown ? keyof Details : never;
type Member<Details, Name> = Details extends unknown ? (Name extends keyof Details ? Details[Name] : never) : never;

/** Stored details as they may be found. Every member may be absent, because old entries are never rewritten. */
export type StoredDetails<Details> = { readonly [Name in Key<Details>]: Member<Details, Name> | undefined };

/** Details with these members of unknown content, because an entry may come from an older version. */
export type Unknown<Name extends string> = Readonly<Record<Name, unknown>>;

/** The input for an action's sentence. `Details` is what the command stores; undefined: the action says all. */
export type Facts<Details = undefined> = {
  /** Who acted: a person's name, or "PayeeProof". */
  who: string;
  /** The subject's name: the payee, the verification's payee, or the file; a plain noun when unknown. */
  subject: string;
  /** The person whom the entry is about: their name, or "a person". */
  person: string;
  details: StoredDetails<Details>;
  /** Only for the compiler: the details as they are stored. */
  readonly [WRITTEN]: Details;
};

type AuditedAction = { label: string; sentence: (facts: never) => string };
export type AuditedActions = Readonly<Record<string, AuditedAction>>;

/** The details that a command stores with an action. */
export type DetailsOf<One extends AuditedAction> = One["sentence"] extends () => string
  ? undefined
  : One["sentence"] extends (facts: Facts<infer Details>) => string
    ? Details
    : undefined;

/** An old and a new value of a payee, as a command stores them. */
export type WrittenChange = { field: string; from: string | null; to: string | null };

/** The label of an action; one from an older version appears as it is stored. */
export const labelIn = (acts: AuditedActions, action: string): string =>
  Object.hasOwn(acts, action) ? (acts[action]?.label ?? action) : action;

const LONGEST = 300;

/** A string from the details; empty when there is none. */
export const textOf = (value: unknown): string => (typeof value === "string" ? clip(value.trim(), LONGEST) : "");

export const numberOf = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0);

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** "1 line", "1,204 lines". */
export const counted = (value: unknown, noun: string): string => formatCount(numberOf(value), noun);

/** An old and a new value; undefined when the details have none. */
export function changeOf(value: unknown): { from: unknown; to: unknown } | undefined {
  if (typeof value !== "object" || value === null || !("to" in value)) return undefined;
  return { from: "from" in value ? value.from : null, to: value.to };
}

/** A punctuation mark and a text, such as `: Ana wrote`; empty when there is no text. */
export const after = (mark: string, text: string): string => (text ? `${mark}${text}` : "");

/** The words for a code; a code from an older version appears as it is stored, without underscores. */
export function wordsFor<Code extends string>(table: Readonly<Record<Code, string>>, value: unknown): string {
  const code = textOf(value);
  return Object.hasOwn(table, code) ? table[code as Code] : code.replaceAll("_", " ");
}

/** "a", "a and b", "a, b and c". */
export function joined(parts: readonly string[]): string {
  if (parts.length < 2) return parts.join("");
  return `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

/** Adds a full stop unless the sentence has an ending. */
export const ended = (sentence: string): string => (/[.?!…]$/.test(sentence) ? sentence : `${sentence}.`);

/** Old and new values of a payee, in a sentence. Account numbers arrive masked. Pure. */

type Change = { field: PayeeField; from: string; to: string };

const isField = (field: string): field is PayeeField => Object.hasOwn(FIELD_LABELS, field);

function toChange(value: unknown): Change[] {
  if (typeof value !== "object" || value === null || !("field" in value)) return [];
  const { field, from, to } = value as Record<string, unknown>;
  const name = textOf(field);
  return isField(name) ? [{ field: name, from: shown(name, from), to: shown(name, to) }] : [];
}

function shown(field: PayeeField, value: unknown): string {
  const text = textOf(value);
  if (field === "bsb") return formatBsb(text);
  if (field === "phone") return text && formatPhone(text);
  return field === "abn" ? text && formatAbn(text) : text;
}

/** The name of a field within a sentence. */
const nounOf = (field: PayeeField): string =>
  field === "bsb" || field === "abn" ? FIELD_LABELS[field] : FIELD_LABELS[field].toLowerCase();

function fieldChangeWords({ field, from, to }: Change): string {
  if (!from) return `${nounOf(field)} set to ${to}`;
  return to ? `${nounOf(field)} from ${from} to ${to}` : `${nounOf(field)} ${from} removed`;
}

/**
 * "from 062-000 •••••678 to 082-001 •••••999 and account name from Acme to Acme Pty Ltd": BSB and account number are
 * combined if both changed. Empty when the details contain no change.
 */
export function payeeChangeWords(details: unknown): string {
  const changes = listOf(details).flatMap(toChange);
  const bsb = changes.find(({ field }) => field === "bsb");
  const number = changes.find(({ field }) => field === "accountNumber");
  if (!bsb?.from || !number?.from) return joined(changes.map(fieldChangeWords));
  const rest = changes.filter((change) => change !== bsb && change !== number);
  return joined([`from ${bsb.from} ${number.from} to ${bsb.to} ${number.to}`, ...rest.map(fieldChangeWords)]);
}

/** "062-000 •••••678 in the name of Acme Pty Ltd"; empty when the account is unknown. */
export function accountWords({ bsb, accountNumber, accountName }: Unknown<"bsb" | "accountNumber" | "accountName">) {
  const account = [formatBsb(textOf(bsb)), textOf(accountNumber)].filter(Boolean).join(" ");
  return [account, textOf(accountName) && `in the name of ${textOf(accountName)}`].filter(Boolean).join(" ");
}
