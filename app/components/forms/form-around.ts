import { createContext, useContext } from "react";
import type { FormAnswer } from "~/kernel/form-answer";

/** What a browser checks of a field by itself, as the server made it out of its rules. */
interface FieldLimits {
  required?: boolean;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
}

/** By the name of their field. */
export type FormLimits = Readonly<Record<string, FieldLimits | undefined>>;

/** What fields find in the form around them, by their name. */
export interface FormAround {
  intent?: string;
  /** The answer to this form; then what was typed stands in its fields. */
  answer?: FormAnswer;
  /** What stands in the fields before anything was sent. */
  values?: Readonly<Partial<Record<string, string | null>>>;
  limits?: FormLimits;
  /** Before each id, where a page has several fields of one name. */
  idPrefix?: string;
  disabled?: boolean;
}

const AroundContext = createContext<FormAround>({});
export const FormAroundProvider = AroundContext.Provider;
export const useFormAround = () => useContext(AroundContext);

/** The id of a field, where the error summary leads. */
export const fieldId = (name: string, idPrefix?: string) => (idPrefix ? `${idPrefix}-${name}` : name);
