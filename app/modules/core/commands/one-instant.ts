import type { Clock } from "~/services";

/**
 * The same services with a clock that stands still. A command that compares times between its own rows ("opened since
 * the details changed") must write one instant everywhere: a real clock moves on while it reads.
 */
export function atOneInstant<S extends { clock: Clock }>(services: S): S {
  const now = services.clock.now();
  return { ...services, clock: { ...services.clock, now: () => now } };
}
