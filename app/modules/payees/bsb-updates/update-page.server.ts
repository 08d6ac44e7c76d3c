import * as z from "zod";
import { formatBsb } from "~/kernel/bsb";
import { showTime } from "~/kernel/shown-time";
import type { ReadServices } from "~/services";
import { CHANGE_TEXTS, type DirectoryChange, sayTouched } from "./directory-change";
import {
  countTouchedPayees,
  findDirectoryChanges,
  findDirectoryInUse,
  findWaitingUpload,
} from "./load-directory.server";

/** The form that takes an uploaded file into use. `comparedWith` is empty where no file was in use. */
export const takePostSchema = z.object({
  uploadId: z.uuid(),
  comparedWith: z.union([z.uuid(), z.literal("")]).default(""),
});

export type UpdatePage = Awaited<ReturnType<typeof readUpdatePage>>;
export type ChangeCard = ReturnType<typeof toCard>;

/** What the page shows: the file in use, and what the file that waits would change. */
export async function readUpdatePage(services: ReadServices, zone: { timeZone: string; now: number }) {
  const [inUse, waiting] = await Promise.all([findDirectoryInUse(services), findWaitingUpload(services)]);
  const shown = inUse && {
    fileName: inUse.fileName,
    rowCount: inUse.rowCount,
    loadedAt: showTime(inUse.loadedAt ?? inUse.uploadedAt, zone),
  };
  if (!waiting) return { inUse: shown ?? null, waiting: null };
  const [changes, touched] = await Promise.all([
    findDirectoryChanges(services, waiting.id),
    countTouchedPayees(services, waiting.id),
  ]);
  return {
    inUse: shown ?? null,
    waiting: {
      uploadId: waiting.id,
      comparedWith: inUse?.id ?? "",
      fileName: waiting.fileName,
      rowCount: waiting.rowCount,
      uploadedAt: showTime(waiting.uploadedAt, zone),
      touched: sayTouched(touched),
      changes: changes.map(toCard),
    },
  };
}

const toCard = ({ kind, count, first }: DirectoryChange) => ({
  ...CHANGE_TEXTS[kind],
  count,
  rows: first.map(({ bsb, name, successorBsb }) => ({
    bsb,
    name,
    note: successorBsb ? `Now ${formatBsb(successorBsb)}` : "",
  })),
});
