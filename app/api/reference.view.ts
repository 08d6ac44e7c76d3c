import type { GuideSection } from "./guide";

/** What the pages of the API document show. */

export type ShownField = { name: string; type: string; isRequired: boolean; text: string };

export type FieldTable = { title: string; fields: ShownField[] };

export type ShownCall = {
  id: string;
  method: string;
  path: string;
  title: string;
  text: string;
  /** Who may make the call, as a sentence. */
  access: string;
  /** Further notes: repetition, a limit, content types. */
  notes: string[];
  tables: FieldTable[];
  examples: { title: string; request: string }[];
  answers: { status: number; text: string; body: string | null }[];
  refusals: { status: number; code: string; text: string }[];
};

export type ShownGroup = {
  id: string;
  title: string;
  intro: string;
  calls: { id: string; method: string; path: string; title: string }[];
};

export type ApiGuide = { sections: readonly GuideSection[]; script: string; groups: ShownGroup[]; version: string };
