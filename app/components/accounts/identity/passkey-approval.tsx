import { onDemand } from "~/components/on-demand";
import type { FormAnswer } from "~/kernel/form-answer";
import type { OfferedApproval } from "~/modules/accounts/identity/signed-approval.server";
import * as onServer from "./on-demand.server";

/** In the place of a submit button, where the organisation asks for a passkey; few do. */
export const PasskeyApproval = onDemand(onServer.SignApproval, () =>
  import("./sign-approval").then(({ SignApproval }) => SignApproval),
);

/** What a refused form is to be signed with; undefined where it was refused for something else. */
export const approvalIn = (answer: FormAnswer | undefined): OfferedApproval | undefined =>
  answer?.extra?.approval as OfferedApproval | undefined;
