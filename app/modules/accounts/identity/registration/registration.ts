import { DAY_MS } from "~/kernel/dates";

/** An organisation that a person creates. */
export type NewOrganization = { name: string; abn?: string };

/** What a person registers with, cleaned. Without an organisation of either kind they choose one later. */
export type Registration = {
  email: string;
  firstName: string;
  /** Empty when not given. */
  lastName: string;
  password: string;
  /** Join this one. */
  organizationId?: string;
  /** Or create this one. */
  newOrganization?: NewOrganization;
};

/** How long a confirmation link works. */
export const CONFIRMATION_TTL_MS = DAY_MS;

/** How long a new organisation may try everything without paying. */
export const TRIAL_MS = 14 * DAY_MS;
