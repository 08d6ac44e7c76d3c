import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { errorAnswer } from "~/http/api.server";
import { notFound } from "~/kernel/app-error";

/** Every path under /api that has no call of its own. */
export const loader = async ({ context }: LoaderFunctionArgs) => errorAnswer(notFound(), context.origin.requestId);

export const action = loader;
