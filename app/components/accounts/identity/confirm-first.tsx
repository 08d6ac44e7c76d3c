import { onDemand } from "~/components/on-demand";
import type { ConfirmNoticeProps } from "./confirm-notice";
import * as onServer from "./on-demand.server";

const ConfirmNotice = onDemand(onServer.ConfirmNotice, () =>
  import("./confirm-notice").then(({ ConfirmNotice }) => ConfirmNotice),
);

type ConfirmFirstProps = Omit<ConfirmNoticeProps, "missing"> & { missing: ConfirmNoticeProps["missing"] | null };

/** Says above a form what has to be confirmed first. Nearly always empty. */
export const ConfirmFirst = ({ missing, ...notice }: ConfirmFirstProps) =>
  missing && <ConfirmNotice missing={missing} {...notice} />;
