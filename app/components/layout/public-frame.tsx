import type { ReactNode } from "react";
import { OrganizationPicker } from "~/components/accounts/organizations/organization-picker";
import { PublicLayout } from "~/components/layout/public-layout";
import { FOOTER_SECTIONS, PUBLIC_LINKS } from "~/components/layout/public-navigation";
import { useRootData } from "~/components/layout/root-data";

/** React 18 knows the attribute only as text. */
const INERT = { inert: "" };

/** Around the public pages, with the choice of an organisation over it for a person who has not made it. */
export function PublicFrame({ children }: { children: ReactNode }) {
  const root = useRootData();
  const options = root?.user?.pendingOrganizations ?? [];
  const copyright = root ? `© ${root.year} PayeeProof` : "© PayeeProof";
  return (
    <>
      <div {...(options.length > 0 ? INERT : {})}>
        <PublicLayout
          links={PUBLIC_LINKS}
          signedIn={Boolean(root?.user)}
          sections={FOOTER_SECTIONS}
          copyright={copyright}
          legalLine={root?.legalLine}
          theme={root?.theme ?? "system"}
        >
          {children}
        </PublicLayout>
      </div>
      {root && options.length > 0 && (
        <OrganizationPicker options={options} productDomain={new URL(root.origin).hostname} />
      )}
    </>
  );
}
