import type { RequestScope } from "./context.server";
import type { Flash } from "./flash.server";

/**
 * What an action leaves for the loaders that draw the same answer. A post without JavaScript is answered with a page:
 * its action and its loaders share nothing but the request's origin, so that is the key.
 */
type Left = { flash?: Flash; hasErrors?: true };

const left = new WeakMap<RequestScope["origin"], Left>();

type Scope = Pick<RequestScope, "origin">;

/** Says that this answer shows what was wrong with the post: its title begins with "Error: ". */
export function showErrors(scope: Scope, flash?: Flash): void {
  left.set(scope.origin, { flash, hasErrors: true });
}

export function leftForThisAnswer(scope: Scope): Left {
  return left.get(scope.origin) ?? {};
}
