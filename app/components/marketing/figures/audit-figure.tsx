import { Sheet } from "~/components/marketing/figures/sheet";
import { Icon } from "~/components/ui/icons";

/** Invented entries; each seal is made of the entry and the seal above it. */
const ENTRIES = [
  { seq: 41, who: "Sam Lee", what: "changed the account number", when: "10:02 am", seal: "9f2c41" },
  { seq: 42, who: "PayeeProof", what: "took the payee off the whitelist", when: "10:02 am", seal: "c07be8" },
  { seq: 43, who: "Ros Tran", what: "rejected the verification", when: "10:31 am", seal: "51ad90" },
] as const;

export function AuditFigure() {
  return (
    <Sheet caption="Audit trail" flush>
      <ol className="divide-y divide-line">
        {ENTRIES.map((entry) => (
          <li
            key={entry.seq}
            className="grid grid-cols-[2.25rem_1fr_auto] items-baseline gap-x-3 px-5 py-3.5 text-base"
          >
            <span className="figures text-ink-soft text-sm">{entry.seq}</span>
            <span>
              <span className="font-medium">{entry.who}</span> {entry.what}
              <span className="figures block text-ink-soft text-sm">{entry.when}</span>
            </span>
            <span className="figures flex items-center gap-1.5 text-sm text-verified">
              <Icon name="lock" className="size-4" />
              {entry.seal}
            </span>
          </li>
        ))}
      </ol>
    </Sheet>
  );
}
