import type { ReactNode } from "react";
import { WelcomeCard } from "~/components/records/dashboard/welcome-card";
import { StatCard } from "~/components/ui/stat-card";

interface AdminPageProps {
  person: { firstName: string; lastName: string; username: string };
  /** For whom the person administers. */
  scope: string;
  stats: readonly Parameters<typeof StatCard>[0][];
  children: ReactNode;
}

/** The dashboard's shape around the tables of administration. */
export function AdminPage({ person, scope, stats, children }: AdminPageProps) {
  return (
    <div className="grid gap-6">
      <WelcomeCard person={person} organizationName={scope} isFirstVisit={false} canWrite={false} />
      {stats.length > 0 && (
        <div className="grid gap-4 sm:grid-cols-3">
          {stats.map((stat) => (
            <StatCard key={stat.label} {...stat} />
          ))}
        </div>
      )}
      {children}
    </div>
  );
}
