/** The accounting systems that can be connected, and their names. */

export const CONNECTABLE_SYSTEMS = ["xero", "myob"] as const;
export type ConnectableSystem = (typeof CONNECTABLE_SYSTEMS)[number];

export const SYSTEM_NAMES: Readonly<Record<ConnectableSystem, string>> = { xero: "Xero", myob: "MYOB" };

/** The system with this name; undefined if there is none. */
export const findConnectable = (name: unknown): ConnectableSystem | undefined =>
  CONNECTABLE_SYSTEMS.find((system) => system === name);

/** The display name of a stored system; "the accounting system" if it is unknown. */
export function systemName(stored: unknown): string {
  const system = findConnectable(stored);
  return system ? SYSTEM_NAMES[system] : "the accounting system";
}
