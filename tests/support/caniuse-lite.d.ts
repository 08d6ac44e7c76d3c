/**
 * The parts of caniuse-lite that the tests read, because it has no types: releases by browser, and support by feature.
 */
declare module "caniuse-lite" {
  /** When each version came out, in seconds since 1970; null for one that is still to come. */
  export const agents: Record<string, { release_date: Record<string, number | null> }>;
  export const features: Record<string, string>;
  /** Support by browser and version: "y" yes, "a" in part, "n" no. */
  export function feature(packed: string): { stats: Record<string, Record<string, string>> };
}
