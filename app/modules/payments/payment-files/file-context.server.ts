import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import type { ReadServices } from "~/services";
import { findFileSettings } from "./file-settings.server";
import type { FileContext } from "./judge-lines.server";
import { nameWidthOf } from "./payment-file";
import type { ReadFile } from "./read-file";
import { summariseLines } from "./whole-file";

/** What the lines of a file are judged with: the organisation's policy and limits as they are now. */
export async function findFileContext(
  services: ReadServices,
  { organizationId, fileId, uploadedById }: { organizationId: string; fileId: string; uploadedById: string | null },
  file: Pick<ReadFile, "lines" | "format">,
): Promise<FileContext> {
  const [policy, limits] = await Promise.all([
    findPolicy(services, organizationId),
    findFileSettings(services, organizationId),
  ]);
  return {
    organizationId,
    fileId,
    recordedById: uploadedById,
    policy,
    limits,
    whole: summariseLines(file.lines),
    nameWidth: nameWidthOf(file.format),
    levels: policy.ruleLevels,
  };
}
