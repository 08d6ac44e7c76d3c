import type { ShouldRevalidateFunction } from "@remix-run/react";

/**
 * For a page of which something else is true by now when an act of it is refused (409): the page shows it. After another
 * refusal, and above all after a lost connection, it asks for nothing: what cannot be loaded would take the place of the form
 * and of what was typed. The framework tells such a function that every page is to be loaded again, whatever the status.
 */
export const loadAgainWhenRefused: ShouldRevalidateFunction = ({ actionStatus = 200 }) =>
  actionStatus < 400 || actionStatus === 409;
