import { Icon } from "~/components/ui/icons";

/** An organisation's logo, or a placeholder; decorative, the name is beside it. */
export function OrganizationMark({ logo }: { logo?: string | null }) {
  return (
    <span
      aria-hidden="true"
      className="grid size-10 shrink-0 place-items-center overflow-hidden rounded-base bg-sunken text-ink-soft border border-line"
    >
      {logo ? (
        <img src={logo} alt="" className="size-full object-contain" />
      ) : (
        <Icon name="building" className="size-5" />
      )}
    </span>
  );
}
