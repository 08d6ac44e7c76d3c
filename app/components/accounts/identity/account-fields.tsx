import { Checkbox, PasswordInput, TextInput } from "~/components/forms/fields";
import { sitePaths } from "~/kernel/paths/site";

/** First and last name of a person. */
export function NameFields() {
  return (
    <>
      <TextInput name="firstName" label="First name" required minLength={2} autoComplete="given-name" />
      <TextInput name="lastName" label="Last name" autoComplete="family-name" />
    </>
  );
}

/** For the browser's password manager, where the form has no field for the address: whose password it is. */
const WhosePassword = ({ email }: { email: string }) => (
  <input type="email" name="email" value={email} autoComplete="username" readOnly hidden />
);

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

/** A password that a person chooses, typed twice: "Password" for a new account, "New password" in place of another. */
export function NewPasswordFields({ email, label = "New password" }: { email?: string; label?: string }) {
  return (
    <>
      {email !== undefined && <WhosePassword email={email} />}
      <PasswordInput
        name="password"
        label={label}
        hint="At least 8 characters, with uppercase and lowercase letters, a number and a special character."
        required
        minLength={8}
        autoComplete="new-password"
      />
      <PasswordInput
        name="confirmPassword"
        label={`Confirm ${label.charAt(0).toLowerCase()}${label.slice(1)}`}
        required
        autoComplete="new-password"
      />
    </>
  );
}

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

/** The terms that every person who makes an account accepts. */
export const AcceptTerms = () => (
  <Checkbox
    name="acceptTerms"
    label={
      <>
        I accept the <Document to={sitePaths.terms}>Terms and Conditions</Document>
      </>
    }
    hint={
      <>
        What we keep, and why, is in the <Document to={sitePaths.privacy}>Privacy Policy</Document>.
      </>
    }
    required
  />
);

/** Opened beside the form, which would lose what was typed. */
function Document({ to, children }: { to: string; children: string }) {
  return (
    <a href={to} target="_blank" rel="noopener" className="font-medium text-accent-text underline underline-offset-2">
      {children}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}
