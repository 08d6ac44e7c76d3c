import type { ReactNode } from "react";
import { PageHeader } from "~/components/ui/page-parts";

export function AdminPage({ title, scope, children }: { title: string; scope: ReactNode; children: ReactNode }) {
  return (
    <>
      <PageHeader title={title} description={scope} />
      <div className="grid gap-6">{children}</div>
    </>
  );
}
