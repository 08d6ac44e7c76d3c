import type { ShouldRevalidateFunction } from "@remix-run/react";

/** For a page of which something else is true by now when an act of it is refused (409): the page shows it. */
export const loadAgainWhenRefused: ShouldRevalidateFunction = ({ actionStatus, defaultShouldRevalidate }) =>
  actionStatus === 409 || defaultShouldRevalidate;
