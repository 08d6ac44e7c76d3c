import { cx } from "~/components/cx";

/** First letters of the first and last name. */
export function initialsOf(firstName: string, lastName?: string | null): string {
  return [firstName, lastName ?? ""].map((name) => [...name.trim()][0]?.toUpperCase() ?? "").join("");
}

/** A person or organisation as initials in a circle; decorative, the name stands beside it or in the menu. */
export function Avatar({
  firstName,
  lastName,
  className,
}: {
  firstName: string;
  lastName?: string | null;
  className?: string;
}) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        "grid size-8 shrink-0 place-items-center rounded-full bg-accent-wash font-medium text-accent-text text-xs ring-1 ring-accent-text/20 ring-inset",
        className,
      )}
    >
      {initialsOf(firstName, lastName)}
    </span>
  );
}
