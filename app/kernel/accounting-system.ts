/** The accounting systems that can be connected, and what people call them. */

export const CONNECTABLE_SYSTEMS = ["xero", "myob"] as const;
export type ConnectableSystem = (typeof CONNECTABLE_SYSTEMS)[number];

export const SYSTEM_NAMES: Readonly<Record<ConnectableSystem, string>> = { xero: "Xero", myob: "MYOB" };

/** The system of that name; undefined for any other. */
export const findConnectable = (name: unknown): ConnectableSystem | undefined =>
  CONNECTABLE_SYSTEMS.find((system) => system === name);

/** The name of a system as it is stored; "the accounting system" for one that is not known. */
export function systemName(stored: unknown): string {
  const system = findConnectable(stored);
  return system ? SYSTEM_NAMES[system] : "the accounting system";
}
