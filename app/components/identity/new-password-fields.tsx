import { TextInput } from "~/components/forms/text-input";

interface NewPasswordFieldsProps {
  errors?: Record<string, string[]>;
  /** For the browser's password manager: whose password it is. */
  email: string;
  /** Where a page has several password fields. */
  idPrefix?: string;
}

/** A new password, twice. */
export function NewPasswordFields({ errors, email, idPrefix }: NewPasswordFieldsProps) {
  return (
    <>
      <input type="email" name="email" value={email} autoComplete="username" readOnly hidden />
      <TextInput
        id={idPrefix && `${idPrefix}-password`}
        name="password"
        label="New password"
        type="password"
        hint="At least 8 characters, with uppercase and lowercase letters, a number and a special character."
        required
        minLength={8}
        autoComplete="new-password"
        error={errors?.password}
      />
      <TextInput
        id={idPrefix && `${idPrefix}-confirmPassword`}
        name="confirmPassword"
        label="Confirm new password"
        type="password"
        required
        autoComplete="new-password"
        error={errors?.confirmPassword}
      />
    </>
  );
}
