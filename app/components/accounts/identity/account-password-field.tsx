import { PasswordInput } from "~/components/forms/fields";

interface AccountPasswordFieldProps {
  /** For the browser's password manager: whose password it is. */
  email: string;
  error?: string[];
}

/** The password of an account that a link is about. */
export function AccountPasswordField({ email, error }: AccountPasswordFieldProps) {
  return (
    <>
      <input type="email" name="email" value={email} autoComplete="username" readOnly hidden />
      <PasswordInput name="password" label="Password" required autoComplete="current-password" error={error} />
    </>
  );
}
