import { useRouteLoaderData } from "@remix-run/react";
import { createContext, useContext, useEffect } from "react";
import type { OrganizationOption } from "~/components/accounts/organizations/organization-options";
import type { PageNotice } from "~/services-and-actor";
import type { FlashMessage } from "./toast-store";
import type { Viewer } from "./viewer";

/** The signed-in person, as the page frame shows them. */
export interface RootUser extends Viewer {
  firstName: string;
  lastName?: string | null;
  email: string;
  emailVerified: boolean;
  /** They still have to choose, join or create an organisation. */
  needsSelection: boolean;
  pendingOrganizations: readonly OrganizationOption[];
  isClosed: boolean;
  /** Notices for every page about delayed weaker policies and the organisation's closing date. */
  notices: readonly PageNotice[];
  /** Whether their organisation requires a passkey: no (null), from a certain day on, or already. */
  passkey: { isDue: boolean; hasOne: boolean; from: string | null } | null;
  subscriptionEnded: boolean;
  /** Counted up to `UNREAD_CAP`. */
  unreadAlerts: number;
}

/** The data that the root route loads for every page. */
export interface RootData {
  user: RootUser | null;
  /** The signed-in person and organisation of this page; null: nobody is signed in. */
  typist: string | null;
  theme: "light" | "dark" | "system";
  year: number;
  flash: FlashMessage | null;
  /** This document answers a post that was refused. */
  hasErrors: boolean;
  origin: string;
  isTest: boolean;
  legalLine: string | null;
  /** Lines for every page: a super admin's notice, and known problems of the service. */
  notices: readonly string[];
}

/** The last root data that arrived in this browser tab; the browser's entry point provides the holder. */
export const LastRootContext = createContext<{ current?: RootData } | null>(null);

/** The root route's data; if its last load failed, the data before that. Undefined when there is neither. */
export function useRootData(): RootData | undefined {
  const loaded = useLoadedRootData();
  const last = useContext(LastRootContext);
  useEffect(() => {
    if (last && loaded) last.current = loaded;
  }, [last, loaded]);
  return loaded ?? last?.current;
}

/** The root data loaded with this page; undefined when that failed. */
export const useLoadedRootData = () => useRouteLoaderData("root") as RootData | undefined;

/** What a route tells the root about its page: `export const handle: PageHandle = { scripts: false }`. */
export interface PageHandle {
  /** False for a page that works entirely as plain HTML: it is sent without scripts. */
  scripts?: false;
}

/** The nonce of this response's content security policy; empty in the browser, which hides nonces anyway. */
export const NonceContext = createContext("");

export const useNonce = () => useContext(NonceContext);
