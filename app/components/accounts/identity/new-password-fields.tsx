import { PasswordInput } from "~/components/forms/fields";

interface NewPasswordFieldsProps {
  errors?: Readonly<Record<string, readonly string[] | undefined>>;
  /** For the browser's password manager, where the form has no field for the address: whose password it is. */
  email?: string;
  /** "Password" for a new account, "New password" in place of another. */
  label?: string;
  /** Where a page has several password fields. */
  idPrefix?: string;
}

/** A password that a person chooses, typed twice. */
export function NewPasswordFields({ errors, email, label = "New password", idPrefix }: NewPasswordFieldsProps) {
  return (
    <>
      {email !== undefined && <input type="email" name="email" value={email} autoComplete="username" readOnly hidden />}
      <PasswordInput
        id={idPrefix && `${idPrefix}-password`}
        name="password"
        label={label}
        hint="At least 8 characters, with uppercase and lowercase letters, a number and a special character."
        required
        minLength={8}
        autoComplete="new-password"
        error={errors?.password}
      />
      <PasswordInput
        id={idPrefix && `${idPrefix}-confirmPassword`}
        name="confirmPassword"
        label={`Confirm ${label.charAt(0).toLowerCase()}${label.slice(1)}`}
        required
        autoComplete="new-password"
        error={errors?.confirmPassword}
      />
    </>
  );
}
