import { Checkbox } from "~/components/forms/checkbox";
import { TextInput } from "~/components/forms/text-input";

type Errors = Readonly<Record<string, readonly string[] | undefined>>;

/** A password, typed twice. */
export function NewPasswordFields({ errors }: { errors: Errors }) {
  return (
    <>
      <TextInput
        name="password"
        label="Password"
        type="password"
        hint="At least 8 characters, with uppercase and lowercase letters, a number and a special character."
        required
        minLength={8}
        autoComplete="new-password"
        error={errors.password}
      />
      <TextInput
        name="confirmPassword"
        label="Confirm password"
        type="password"
        required
        autoComplete="new-password"
        error={errors.confirmPassword}
      />
    </>
  );
}

/** What everybody accepts who makes an account, and where it can be read. */
export function AcceptTerms({ isAccepted, errors }: { isAccepted: boolean; errors: Errors }) {
  return (
    <Checkbox
      name="acceptTerms"
      label={
        <>
          I accept the <Document to="/terms">Terms and Conditions</Document>
        </>
      }
      hint={
        <>
          What we keep, and why, is in the <Document to="/privacy">Privacy Policy</Document>.
        </>
      }
      required
      defaultChecked={isAccepted}
      error={errors.acceptTerms}
    />
  );
}

/** Opened beside the form, which would lose what was typed. */
function Document({ to, children }: { to: string; children: string }) {
  return (
    <a href={to} target="_blank" rel="noopener" className="font-medium text-accent-text underline underline-offset-2">
      {children}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}
