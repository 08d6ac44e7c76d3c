import { AppError } from "~/kernel/app-error";
import type { Accepted } from "./form-action.server";
import type { PageArgs } from "./page.server";

const OVER: readonly string[] = ["ALREADY_CONFIRMED", "LINK_EXPIRED", "LINK_USED"];

/**
 * Runs what a one-time link's form asks for. A link that was used or expired since the page was opened leads back to its
 * page, which says how the link stands now.
 * @param over codes of refusals that mean so
 */
export async function orShowLinkState<Done extends Accepted | Response>(
  scope: PageArgs,
  run: () => Promise<Done>,
  over: readonly string[] = OVER,
): Promise<Done | Accepted> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof AppError && over.includes(error.code)) return { to: scope.url.pathname };
    throw error;
  }
}
