import { useSyncExternalStore } from "react";

const never = () => () => {};

/** False while the server draws and at hydration, true ever after. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
