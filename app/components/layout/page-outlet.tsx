import { Outlet, useLocation } from "@remix-run/react";

/**
 * The page of an address, and a new one for every other: a route draws many payees, payments and verifications one after
 * the other, and whatever a person typed, ticked, opened or was told on the page of one ends with that page.
 */
export function PageOutlet() {
  const { pathname } = useLocation();
  return <Outlet key={pathname} />;
}
