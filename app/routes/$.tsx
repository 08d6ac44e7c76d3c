import type { MetaFunction } from "@remix-run/cloudflare";
import { page } from "~/http/page.server";
import { notFound } from "~/kernel/app-error";

export const meta: MetaFunction = () => [{ title: "Page not found · PayeeProof" }];

/** Every path that has no page of its own. */
export const loader = /* @__PURE__ */ page(async () => {
  throw notFound();
});

export const action = loader;

export default function NoPage() {
  return null;
}
