import type { ReactNode } from "react";
import { PageHeader } from "~/components/ui/page-header";

interface AdminPageProps {
  title: string;
  /** For whom the person administers. */
  scope: string;
  children: ReactNode;
}

/** A page of administration: what it is, whom it is about, and its cards. */
export function AdminPage({ title, scope, children }: AdminPageProps) {
  return (
    <>
      <PageHeader title={title} description={scope} />
      <div className="grid gap-6">{children}</div>
    </>
  );
}
