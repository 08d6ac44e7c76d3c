import * as z from "zod";

/** The form that takes an uploaded file into use. `comparedWith` is empty where no file was in use. */
export const takePostSchema = z.object({
  uploadId: z.uuid(),
  comparedWith: z.union([z.uuid(), z.literal("")]).default(""),
});
