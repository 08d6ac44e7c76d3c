import type { ReactNode } from "react";
import { PageHeader } from "~/components/ui/page-parts";

interface AdminPageProps {
  title: string;
  /** The organisation or people that the page manages. */
  scope: ReactNode;
  children: ReactNode;
}

export function AdminPage({ title, scope, children }: AdminPageProps) {
  return (
    <>
      <PageHeader title={title} description={scope} />
      <div className="grid gap-6">{children}</div>
    </>
  );
}
