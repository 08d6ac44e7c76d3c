import { cx } from "~/components/cx";
import { type Tone, toneWash } from "~/components/ui/badge";
import { Icon, type IconName } from "~/components/ui/icons";
import type { ReviewView } from "~/modules/review/review.view";
import type { VerdictName } from "~/modules/review/verdict";

const LOOKS: Readonly<Record<VerdictName, { tone: Tone; icon: IconName }>> = {
  not_checked: { tone: "neutral", icon: "dash" },
  waiting: { tone: "neutral", icon: "mail" },
  matches: { tone: "verified", icon: "checkCircle" },
  close: { tone: "pending", icon: "equals" },
  does_not_match: { tone: "review", icon: "flag" },
  disputed: { tone: "review", icon: "hand" },
  lookalike: { tone: "review", icon: "users" },
  could_not_check: { tone: "neutral", icon: "question" },
  account_closed: { tone: "review", icon: "xCircle" },
  verified: { tone: "verified", icon: "checkCircle" },
  rejected: { tone: "review", icon: "xCircle" },
  failed: { tone: "review", icon: "alert" },
};

/** Where the verification stands, the strongest evidence, the money that waits for it, and the next step. */
export function VerdictStrip({ verdict }: { verdict: ReviewView["verdict"] }) {
  const look = LOOKS[verdict.name];
  return (
    <section
      aria-label="Verdict"
      className={cx(
        "mb-6 grid gap-x-8 gap-y-3 rounded-base border p-5 sm:grid-cols-[auto_1fr_auto]",
        toneWash[look.tone],
      )}
    >
      <p className="flex items-center gap-2.5 font-semibold text-lg">
        <Icon name={look.icon} className="size-6" />
        {verdict.word}
      </p>
      <div className="min-w-0 text-base text-ink">
        {verdict.evidence.length > 0 && (
          <ul className="grid gap-0.5">
            {verdict.evidence.map((sentence) => (
              <li key={sentence} className="break-words">
                {sentence}
              </li>
            ))}
          </ul>
        )}
        <p className={verdict.evidence.length > 0 ? "mt-1.5 text-ink-soft" : "text-ink-soft"}>{verdict.next}</p>
      </div>
      <p className="figures text-base text-ink sm:text-right">{verdict.money}</p>
    </section>
  );
}
