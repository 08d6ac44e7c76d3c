import { answerApi } from "~/api/calls.server";

/** Every call of the API: what there is stands in `app/api`, one declaration each. */
export const loader = answerApi;
export const action = answerApi;
