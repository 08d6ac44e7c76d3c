import { type DefaultValue, type FieldMetadata, getInputProps, useForm } from "@conform-to/react";
import { useMemo } from "react";

/** Attributes by the name of their field, as the server made them out of its rules. */
export type FieldConstraints = NonNullable<Parameters<typeof useForm>[0]["constraint"]>;

/** What the server sends back: everything typed, and what is wrong with it. */
type Answer<Values> = { values: Values; errors: Partial<Record<keyof Values, string[]>> };

interface AnsweredForm<Values> {
  constraints: FieldConstraints;
  answer?: Answer<Values> | null;
  /** What stands in the fields before anything was sent. */
  defaultValue: Values;
}

/** The fields of a form that the server checks: their attributes, what stands in them and what is wrong with each. */
export function useAnsweredForm<Values extends Record<string, string>>(form: AnsweredForm<Values>) {
  const { answer, constraints, defaultValue } = form;
  // No status: the form would take the focus to its first field, and the summary takes it to the top.
  const lastResult = useMemo(
    () => ({ initialValue: answer?.values, error: { ...answer?.errors } as Record<string, string[]> }),
    [answer],
  );
  const [, fields] = useForm<Values>({
    constraint: constraints,
    lastResult,
    defaultValue: defaultValue as DefaultValue<Values>,
  });
  return fields;
}

/** A field's share of it, to spread into one of ours. Its id stays its name: the summary leads there. */
export function fieldProps(field: FieldMetadata<string>) {
  const { name, required, minLength, maxLength, pattern, defaultValue } = getInputProps(field, { type: "text" });
  return { name, required, minLength, maxLength, pattern, defaultValue, error: field.errors };
}
