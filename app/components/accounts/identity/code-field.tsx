import { TextInput } from "~/components/forms/fields";

interface CodeFieldProps {
  error?: string[];
  /** Where a page has several such fields. */
  idPrefix?: string;
}

/** The code of two-step sign-in. Letters are allowed: a recovery code is typed here too. */
export function CodeField({ error, idPrefix }: CodeFieldProps) {
  return (
    <TextInput
      id={idPrefix && `${idPrefix}-code`}
      name="code"
      label="Code"
      hint="Six digits from your authenticator app, or one of your recovery codes."
      required
      digits
      autoComplete="one-time-code"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={40}
      error={error}
    />
  );
}
