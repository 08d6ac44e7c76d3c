/** Knows passwords from data breaches, without being told which password is asked about. */
export interface BreachedPasswords {
  /** False too when the service does not answer in time: a sign-up must not wait for it. Never throws. */
  isBreached(password: string): Promise<boolean>;
}
