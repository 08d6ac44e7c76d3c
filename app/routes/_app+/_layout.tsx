import { PageOutlet } from "~/components/layout/page-outlet";
import { PageProblem } from "~/components/layout/page-problem";
import { useAskedBoundary } from "~/components/layout/route-boundary";
import { SignedInFrame } from "~/components/layout/signed-in-frame";

/** The frame of the signed-in pages. */
export default function SignedInPages() {
  return (
    <SignedInFrame>
      <PageOutlet />
    </SignedInFrame>
  );
}

export function ErrorBoundary() {
  const Problem = useAskedBoundary("page") ?? PageProblem;
  return (
    <SignedInFrame>
      <Problem />
    </SignedInFrame>
  );
}
