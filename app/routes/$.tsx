import { page } from "~/http/page.server";
import { notFound } from "~/kernel/app-error";

/** Every path that has no page of its own. */
export const loader = /* @__PURE__ */ page(async () => {
  throw notFound();
});

export const action = loader;

export default function NoPage() {
  return null;
}
