import { systemName } from "~/kernel/accounting-system";
import { formatDate } from "~/kernel/dates";
import type { DetailsOrigin } from "~/kernel/payee";

/** Sentences about imported bank details: where they came from, and who has to approve them. Pure. */

/** The origin of a payee's present account, with the names of the people who entered it. */
export type NamedOrigin = Pick<DetailsOrigin, "system" | "cameAt" | "editedBy"> & {
  /** True if everybody who edited the supplier in the accounting system is known, not only the last editor. */
  isEditorKnown: boolean;
  editors: readonly string[];
  /** Who had connected the accounting system; null: unknown. */
  connector: string | null;
};

type Reading = {
  secondPersonRequired: boolean;
  /** The payee is trusted with these details. */
  isApproved: boolean;
  timeZone: string;
};

export type ShownOrigin = { title: string; text: string };

const AND = new Intl.ListFormat("en-AU", { type: "conjunction" });

export function describeOrigin(origin: NamedOrigin, { timeZone, ...reading }: Reading): ShownOrigin {
  const { system, cameAt } = origin;
  return {
    title: `These bank details came from ${systemName(system)}`,
    text: `They arrived on ${formatDate(cameAt, timeZone)}. ${origin.isEditorKnown ? knownEditorSentence(origin, reading) : unknownEditorSentence(origin, reading)}`,
  };
}

type Asking = Omit<Reading, "timeZone">;

function knownEditorSentence(origin: NamedOrigin, { secondPersonRequired, isApproved }: Asking): string {
  const edited = `${AND.format(origin.editors)} edited the supplier there.`;
  return secondPersonRequired && !isApproved
    ? `${edited} Someone other than ${barredNames(origin)} has to approve them.`
    : edited;
}

function unknownEditorSentence(origin: NamedOrigin, { secondPersonRequired, isApproved }: Asking): string {
  const { editedBy } = origin;
  const unknown = `It is not known who entered them there${editedBy === null ? "" : ` (the last edit is by ${editedBy})`}`;
  if (!secondPersonRequired) return `${unknown}. Your organisation does not require a second person.`;
  const waits = "a payment that the same person records waits for another person";
  if (isApproved) return `${unknown}, so two people have to check: whoever approved them cannot pay them alone.`;
  const barred = barredNames(origin);
  const who = barred === "" ? "one person approves them" : `someone other than ${barred} has to approve them`;
  return `${unknown}, so two people have to check: ${who}, and ${waits}.`;
}

/** Names the people who may not approve them: those who edited the supplier, and whoever connected the system. */
function barredNames({ editors, connector, system }: NamedOrigin): string {
  const others = editors.filter((name) => name !== connector);
  const connected = connector === null ? [] : [`${connector}, who connected ${systemName(system)},`];
  return AND.format([...others, ...connected]);
}
