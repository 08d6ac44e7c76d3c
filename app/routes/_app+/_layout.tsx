import { TypistContext } from "~/components/forms/form";
import { PageOutlet, useRequestedBoundary } from "~/components/layout/page-outlet";
import { PageProblem } from "~/components/layout/page-problem";
import { useRootData } from "~/components/layout/root-data";
import { SignedInFrame } from "~/components/layout/signed-in-frame";

export default function SignedInPages() {
  const typist = useRootData()?.typist ?? null;
  return (
    <SignedInFrame>
      <TypistContext.Provider value={typist}>
        <PageOutlet />
      </TypistContext.Provider>
    </SignedInFrame>
  );
}

export function ErrorBoundary() {
  const Problem = useRequestedBoundary("page") ?? PageProblem;
  return (
    <SignedInFrame>
      <Problem />
    </SignedInFrame>
  );
}
