/** An open session as its person sees it. */
export type SessionView = {
  /** Names it in the form that ends it; it opens nothing. */
  id: string;
  device: string;
  place: string | null;
  ipAddress: string | null;
  isThisOne: boolean;
  signedIn: string;
  lastSeen: { dateTime: string; exact: string; relative: string };
};
