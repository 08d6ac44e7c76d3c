import { Checkbox } from "~/components/forms/fields";
import { sitePaths } from "~/kernel/paths/site";

type Errors = Readonly<Record<string, readonly string[] | undefined>>;

/** The terms that every person who makes an account accepts. */
export function AcceptTerms({ isAccepted, errors }: { isAccepted: boolean; errors: Errors }) {
  return (
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
