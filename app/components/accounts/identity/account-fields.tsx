import { useState } from "react";
import { Checkbox, controlClass, Field, type InputProps, TextInput, useField } from "~/components/forms/fields";
import { cx, linkClass } from "~/components/ui/elements";
import { useHydrated } from "~/components/use-hydrated";
import { sitePaths } from "~/kernel/paths/site";

export function NameFields() {
  return (
    <>
      <TextInput name="firstName" label="First name" required minLength={2} autoComplete="given-name" />
      <TextInput name="lastName" label="Last name" autoComplete="family-name" />
    </>
  );
}

/** Tells the browser's password manager whose password it is, in a form without an address field. */
export const WhosePassword = ({ email }: { email: string }) => (
  <input type="email" name="email" value={email} autoComplete="username" readOnly hidden />
);

/** A new password, entered twice: labelled "Password" for a new account, "New password" otherwise. */
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

/** The terms that everybody who creates an account accepts. */
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

/** Opens in a new tab, because leaving the form would lose what was typed. */
function Document({ to, children }: { to: string; children: string }) {
  return (
    <a href={to} target="_blank" rel="noopener" className={linkClass}>
      {children}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}

/** A password field, never filled in again. With scripts, a button shows what was typed. Pasting always works. */
export function PasswordInput(props: Omit<InputProps, "type">) {
  const [isShown, setShown] = useState(false);
  const hydrated = useHydrated();
  const { frame, control } = useField(props);
  return (
    <Field {...frame}>
      <div className="relative">
        <input
          {...control}
          type={isShown ? "text" : "password"}
          autoCapitalize="none"
          spellCheck={false}
          className={cx(controlClass, hydrated && "pr-16")}
        />
        {hydrated && (
          <button
            type="button"
            aria-pressed={isShown}
            aria-controls={control.id}
            onClick={() => setShown(!isShown)}
            className="border border-transparent absolute inset-y-1 right-1 rounded-base px-2.5 font-medium text-accent-text text-sm hover:bg-sunken"
          >
            {isShown ? "Hide" : "Show"}
            <span className="sr-only"> password</span>
          </button>
        )}
      </div>
    </Field>
  );
}
