import type { FormAnswer } from "~/components/forms/form";
import { onDemand } from "~/components/on-demand";
import type { OfferedApproval } from "~/modules/accounts/identity/signed-approval.server";
import * as onServer from "./on-demand.server";

/** Replaces a submit button if the organisation requires a passkey, which few do. */
export const PasskeyApproval = onDemand(onServer.SignApproval, () =>
  import("./sign-approval").then(({ SignApproval }) => SignApproval),
);

/** The approval that a refused form has to sign; undefined when it was refused for another reason. */
export const approvalIn = (answer: FormAnswer | undefined): OfferedApproval | undefined =>
  answer?.extra?.approval as OfferedApproval | undefined;
