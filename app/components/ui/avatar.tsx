import { cx } from "./elements";

/** First letters of the first and last name. */
export function initialsOf(firstName: string, lastName?: string | null): string {
  return [firstName, lastName ?? ""].map((name) => [...name.trim()][0]?.toUpperCase() ?? "").join("");
}

interface AvatarProps {
  firstName: string;
  lastName?: string | null;
  size?: "md" | "lg";
}

/** A person's or organisation's initials in a circle; decorative, because the name is beside it or in the menu. */
export function Avatar({ firstName, lastName, size = "md" }: AvatarProps) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        "grid shrink-0 place-items-center rounded-full bg-accent-wash font-medium text-accent-text border border-accent-text/20",
        size === "md" ? "size-8 text-xs" : "size-10 text-base",
      )}
    >
      {initialsOf(firstName, lastName)}
    </span>
  );
}
