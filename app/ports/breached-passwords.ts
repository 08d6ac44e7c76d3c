/** Checks for breached passwords, without sending the password to the service. */
export interface BreachedPasswords {
  /** Also false if the service does not answer in time, so that a sign-up does not wait for it. Never throws. */
  isBreached(password: string): Promise<boolean>;
}
