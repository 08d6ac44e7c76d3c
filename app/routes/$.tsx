import { useLocation } from "@remix-run/react";
import { frameOf } from "~/components/layout/frame-of";
import { PageProblem } from "~/components/layout/page-problem";
import { PublicFrame } from "~/components/layout/public-frame";
import { useRootData } from "~/components/layout/root-data";
import { SignedInFrame } from "~/components/layout/signed-in-frame";
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

export function ErrorBoundary() {
  const { pathname } = useLocation();
  const isSignedIn = Boolean(useRootData()?.user);
  const Frame = frameOf(pathname, isSignedIn) === "signed-in" ? SignedInFrame : PublicFrame;
  return (
    <Frame>
      <PageProblem />
    </Frame>
  );
}
