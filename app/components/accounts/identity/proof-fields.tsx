import { PasswordInput, WhosePassword } from "~/components/accounts/identity/account-fields";
import { TextInput } from "~/components/forms/fields";

/** The password of an account that a link is about. */
export function AccountPasswordField({ email }: { email: string }) {
  return (
    <>
      <WhosePassword email={email} />
      <PasswordInput name="password" label="Password" required autoComplete="current-password" />
    </>
  );
}

/** The password a person has, asked again before something that matters. */
export const CurrentPasswordField = () => (
  <PasswordInput name="currentPassword" label="Current password" required autoComplete="current-password" />
);

/** The code of two-step sign-in. Letters are allowed: a recovery code is typed here too. */
export const CodeField = () => (
  <TextInput
    name="code"
    label="Code"
    hint="Six digits from your authenticator app, or one of your recovery codes."
    required
    digits
    autoComplete="one-time-code"
    autoCapitalize="characters"
    spellCheck={false}
    maxLength={40}
  />
);
