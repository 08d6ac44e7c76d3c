import type { RequestScope } from "./context.server";
import type { Flash } from "./flash.server";

/**
 * What an action tells the loaders that draw the same response. A post without JavaScript is answered with a page: its
 * action and its loaders share nothing but the request's origin object, so that object is the key.
 */
type ResponseState = {
  flash?: Flash;
  /** The post was refused: the page's title begins with "Error: ". */
  hasErrors?: true;
};
const states = new WeakMap<RequestScope["origin"], ResponseState>();
type Scope = Pick<RequestScope, "origin">;

/** Adds to the state of the response to this request. */
export function setResponseState(scope: Scope, state: ResponseState): void {
  states.set(scope.origin, { ...states.get(scope.origin), ...state });
}

/** The state that the action left; empty for none. */
export function readResponseState(scope: Scope): ResponseState {
  return states.get(scope.origin) ?? {};
}
