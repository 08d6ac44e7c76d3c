import type { NameDoubt } from "~/kernel/enums";

/** Why a name waits, to whoever asked for it and to the operator. */
export const NAME_DOUBT_TEXT: Readonly<Record<NameDoubt, string>> = {
  institution: "it is, or looks like, the name of a financial institution",
  ours: "it is, or looks like, the name of PayeeProof",
  alphabets: "it mixes letters of different alphabets that look alike",
};

/** What an organisation is called until its name was approved; a person's name never passes for a bank's or for ours. */
export const holdingName = ({ firstName }: { firstName: string }): string => `${firstName}'s organisation`;

export const NAME_WAITS_TITLE = "The name waits for approval";

/** Said to whoever asked for the name. */
export const tellNameWaits = (name: string, why: NameDoubt, meanwhile: string): string =>
  `PayeeProof's staff look at “${name}” first, because ${NAME_DOUBT_TEXT[why]}. Until then your organisation is called “${meanwhile}”.`;
