import { answerApi } from "~/api/calls.server";

/** Every API call: `app/api` has one declaration for each. */
export const loader = answerApi;
export const action = answerApi;
