import { PasswordInput } from "~/components/forms/fields";

interface CurrentPasswordFieldProps {
  error?: string[];
  /** Where a page has several such fields. */
  idPrefix?: string;
}

/** The password a person has, asked again before something that matters. */
export function CurrentPasswordField({ error, idPrefix }: CurrentPasswordFieldProps) {
  return (
    <PasswordInput
      id={idPrefix && `${idPrefix}-currentPassword`}
      name="currentPassword"
      label="Current password"
      required
      autoComplete="current-password"
      error={error}
    />
  );
}
