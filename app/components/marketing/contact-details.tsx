import type { ReactNode } from "react";
import { Icon, type IconName } from "~/components/ui/icons";

export interface ContactDetails {
  email?: string;
  phone?: string;
  address?: string;
}

/** How to reach us, as far as it is configured. Nothing is drawn for what is not. */
export function ContactDetailList({ email, phone, address }: ContactDetails) {
  if (!email && !phone && !address) return null;
  return (
    <dl className="grid gap-4">
      {phone && (
        <Detail icon="phone" term="Phone">
          <a href={`tel:${phone.replace(/[^+\d]/g, "")}`} className="figures rounded-base hover:underline">
            {phone}
          </a>
        </Detail>
      )}
      {email && (
        <Detail icon="mail" term="Email">
          <a href={`mailto:${email}`} className="rounded-base hover:underline">
            {email}
          </a>
        </Detail>
      )}
      {address && (
        <Detail icon="building" term="Office">
          <address className="max-w-[28ch] not-italic">{address}</address>
        </Detail>
      )}
    </dl>
  );
}

function Detail({ icon, term, children }: { icon: IconName; term: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[2rem_1fr] text-base">
      <dt className="contents">
        <Icon name={icon} className="row-span-2 mt-0.5 text-accent-text" />
        <span className="text-ink-soft text-sm">{term}</span>
      </dt>
      <dd className="col-start-2 text-md">{children}</dd>
    </div>
  );
}
