import { STATED_LIMITS } from "~/kernel/limits";

/** The limits by number, as they are enforced. */
export function StatedLimits() {
  return (
    <ul>
      {STATED_LIMITS.map((limit) => (
        <li key={limit}>{limit}</li>
      ))}
    </ul>
  );
}
