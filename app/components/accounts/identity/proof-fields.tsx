import { PasswordInput, WhosePassword } from "~/components/accounts/identity/account-fields";
import { TextInput } from "~/components/forms/fields";

/** The password of the account that a link belongs to. */
export function AccountPasswordField({ email }: { email: string }) {
  return (
    <>
      <WhosePassword email={email} />
      <PasswordInput name="password" label="Password" required autoComplete="current-password" />
    </>
  );
}

/** A person's present password, required again for a sensitive action. */
export const CurrentPasswordField = () => (
  <PasswordInput name="currentPassword" label="Current password" required autoComplete="current-password" />
);

/** The two-step code. Letters are allowed, because a recovery code can be entered too. */
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
