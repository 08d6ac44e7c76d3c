import { PageOutlet, useRequestedBoundary } from "~/components/layout/page-outlet";
import { PageProblem } from "~/components/layout/page-problem";
import { PublicFrame } from "~/components/layout/public-frame";

export default function PublicPages() {
  return (
    <PublicFrame>
      <PageOutlet />
    </PublicFrame>
  );
}

export function ErrorBoundary() {
  const Problem = useRequestedBoundary("page") ?? PageProblem;
  return (
    <PublicFrame>
      <Problem />
    </PublicFrame>
  );
}
