import * as z from "zod";

const modules = import.meta.glob<Record<string, unknown>>("../../app/modules/**/*.server.ts", { eager: true });

/** Some schemas are functions of the posted form. */
function asSchema(name: string, value: unknown): z.ZodType | undefined {
  if (value instanceof z.ZodType) return value;
  if (typeof value !== "function" || !/schema$/i.test(name)) return undefined;
  try {
    const made: unknown = value(new FormData());
    return made instanceof z.ZodType ? made : undefined;
  } catch {
    return undefined;
  }
}

/** Every exported schema, with its file and name. */
export const SCHEMAS = Object.entries(modules).flatMap(([file, exported]) =>
  Object.entries(exported).flatMap(([name, value]): { file: string; name: string; schema: z.ZodType }[] => {
    const schema = asSchema(name, value);
    return schema ? [{ file: file.replace("../../app/", ""), name, schema }] : [];
  }),
);
