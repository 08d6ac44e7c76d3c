import { STATED_LIMITS } from "~/kernel/limits";

/** The numeric limits, taken from the values that are enforced. */
export function StatedLimits() {
  return (
    <ul>
      {STATED_LIMITS.map((limit) => (
        <li key={limit}>{limit}</li>
      ))}
    </ul>
  );
}
