import type { RequestScope } from "./context.server";
import type { Flash } from "./flash.server";

/**
 * What an action leaves for the loaders that draw the same answer. A post without JavaScript is answered with a page:
 * its action and its loaders share nothing but the request's origin, so that is the key.
 */
type Left = {
  flash?: Flash;
  /** The post was refused: the page's title begins with "Error: ". */
  hasErrors?: true;
};
const left = new WeakMap<RequestScope["origin"], Left>();
type Scope = Pick<RequestScope, "origin">;

export function leaveForThisAnswer(scope: Scope, what: Left): void {
  left.set(scope.origin, { ...left.get(scope.origin), ...what });
}

export function leftForThisAnswer(scope: Scope): Left {
  return left.get(scope.origin) ?? {};
}
