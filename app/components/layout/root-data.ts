import { useRouteLoaderData } from "@remix-run/react";
import { createContext, useContext, useEffect } from "react";
import type { OrganizationOption } from "~/components/accounts/organizations/organization-options";
import type { PageNotice } from "~/kernel/actor";
import type { FlashMessage } from "./toast-store";
import type { Viewer } from "./viewer";

/** The signed-in person, as the header shows them. */
interface RootUser extends Viewer {
  firstName: string;
  lastName?: string | null;
  email: string;
  emailVerified: boolean;
  /** They have yet to choose, join or create an organisation. */
  needsSelection: boolean;
  pendingOrganizations: readonly OrganizationOption[];
  /** Their organisation may not act because it has closed. */
  isClosed: boolean;
  /** What every page says of weaker policies that wait, and of the day on which the organisation closes. */
  notices: readonly PageNotice[];
  /** What their organisation asks of passkeys: nothing (null), one from that day on, or one before anything is decided. */
  passkey: { isDue: boolean; hasOne: boolean; from: string | null } | null;
  /** Their organisation's trial or subscription is over. */
  subscriptionEnded: boolean;
  /** Up to `UNREAD_CAP`. */
  unreadAlerts: number;
}

/** What the root route loads for every page. */
export interface RootData {
  user: RootUser | null;
  /** Who is given this page, and in which organisation; null: nobody who is signed in. */
  typist: string | null;
  theme: "light" | "dark" | "system";
  year: number;
  flash: FlashMessage | null;
  /** The post that this document answers was refused. */
  hasErrors: boolean;
  origin: string;
  isTest: boolean;
  legalLine: string | null;
  /** What stands on every page: a super admin's notice, and what is known not to work. */
  notices: readonly string[];
}

/** The last root data that arrived in this browser tab; the browser's entry provides the holder. */
export const LastRootContext = createContext<{ current?: RootData } | null>(null);

/** What the root route loaded; when its last load failed, what it had loaded before. Undefined when there is neither. */
export function useRootData(): RootData | undefined {
  const loaded = useLoadedRootData();
  const last = useContext(LastRootContext);
  useEffect(() => {
    if (last && loaded) last.current = loaded;
  }, [last, loaded]);
  return loaded ?? last?.current;
}

/** What the root route loaded with this page; undefined when that failed. */
export const useLoadedRootData = () => useRouteLoaderData("root") as RootData | undefined;

/** What a route tells the root about its page: `export const handle: PageHandle = { scripts: false }`. */
export interface PageHandle {
  /** False for a page whose every part works as plain HTML: it is sent without any script. */
  scripts?: false;
}
