import { type ConnectableSystem, findConnectable } from "~/kernel/accounting-system";
import { notFound } from "~/kernel/app-error";
import type { Services } from "~/services";

/** The system that a path names. @throws AppError 404 for one that this installation cannot connect */
export function systemParam(
  { accounting }: Pick<Services, "accounting">,
  params: Record<string, string | undefined>,
): ConnectableSystem {
  const system = findConnectable(params.system);
  if (!system || !accounting[system]) throw notFound();
  return system;
}
