import { cx } from "~/components/cx";
import { toneWash } from "~/components/ui/badge";
import { Icon } from "~/components/ui/icons";
import { Link } from "~/components/ui/link";
import type { VerificationWords } from "~/modules/payees/verifications/verification-words";
import type { ReviewView } from "~/modules/verifying/review/review.view";

interface VerdictStripProps {
  verdict: VerificationWords["verdict"];
  /** Other payees that the verdict is about. */
  compareWith: ReviewView["compareWith"];
  money: string;
}

/** Where the verification stands, the strongest evidence, the money that waits for it, and the next step. */
export function VerdictStrip({ verdict, compareWith, money }: VerdictStripProps) {
  return (
    <section
      aria-label="Verdict"
      className={cx(
        "mb-6 grid gap-x-8 gap-y-3 rounded-base border p-5 sm:grid-cols-[auto_1fr_auto]",
        toneWash[verdict.tone],
      )}
    >
      <p className="flex items-center gap-2.5 font-semibold text-lg">
        <Icon name={verdict.icon} className="size-6" />
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
        {compareWith.length > 0 && (
          <p className="mt-1.5 flex flex-wrap gap-x-4 gap-y-1">
            {compareWith.map(({ name, href }) => (
              <Link
                key={href}
                to={href}
                className="min-w-0 break-words font-medium text-accent-text underline underline-offset-2"
              >
                Look at {name}
              </Link>
            ))}
          </p>
        )}
      </div>
      <p className="figures text-base text-ink sm:text-right">{money}</p>
    </section>
  );
}
