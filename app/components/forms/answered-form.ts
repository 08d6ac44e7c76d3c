/** What a browser checks of a field by itself, as the server made it out of its rules. */
interface FieldConstraint {
  required?: boolean;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
}

/** Attributes by the name of their field. */
export type FieldConstraints = Readonly<Record<string, FieldConstraint | undefined>>;

/** What the server sends back: everything typed, and what is wrong with it. */
type Answer = {
  values: Readonly<Record<string, string>>;
  errors: Readonly<Record<string, readonly string[] | undefined>>;
};

interface AnsweredForm<Values> {
  constraints: FieldConstraints;
  answer?: Answer | null;
  /** What is in the fields before anything was sent. */
  defaultValue: Values;
}

/** One field of such a form, to spread into one of ours. Its id stays its name: the error summary leads there. */
export interface AnsweredField extends FieldConstraint {
  name: string;
  defaultValue: string;
  error?: readonly string[];
}

/** The fields of a form that the server checks: their attributes, what is in them and what is wrong with each. */
export function describeFields<Values extends Record<string, string>>({
  constraints,
  answer,
  defaultValue,
}: AnsweredForm<Values>): Record<keyof Values, AnsweredField> {
  const names = Object.keys(defaultValue) as (keyof Values & string)[];
  const fields = names.map((name): [keyof Values, AnsweredField] => {
    const { required, minLength, maxLength, pattern } = constraints[name] ?? {};
    const value = (answer?.values ?? defaultValue)[name] ?? "";
    return [name, { name, required, minLength, maxLength, pattern, defaultValue: value, error: answer?.errors[name] }];
  });
  return Object.fromEntries(fields) as Record<keyof Values, AnsweredField>;
}
