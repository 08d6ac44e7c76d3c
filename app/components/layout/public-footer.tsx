import type { NavSection } from "~/components/layout/nav-link";
import { type Theme, ThemeToggle } from "~/components/layout/theme-toggle";
import { Link } from "~/components/ui/link";
import { Logo } from "~/components/ui/logo";

export interface PublicFooterProps {
  sections: readonly NavSection[];
  /** "© 2026 PayeeProof" */
  copyright: string;
  /** Who runs the service: "PayeeProof is operated by Example Pty Ltd, ABN 53 004 085 616." */
  legalLine?: string | null;
  theme: Theme;
}

/** Footer of the marketing site. */
export function PublicFooter({ sections, copyright, legalLine, theme }: PublicFooterProps) {
  return (
    <footer data-chrome className="mt-auto border-line border-t bg-surface">
      <div className="mx-auto grid max-w-6xl gap-10 px-4 py-12 sm:px-6 md:grid-cols-[1.4fr_2fr]">
        <div>
          <Logo />
          <p className="mt-3 max-w-[34ch] text-base text-ink-soft">
            Checks a payee&rsquo;s bank details before the payment is authorised.
          </p>
        </div>
        <div className="grid grid-cols-[repeat(auto-fill,minmax(7.5rem,1fr))] gap-8">
          {sections
            .filter((section) => section.items.length > 0)
            .map((section) => (
              <nav key={section.title} aria-label={section.title}>
                <h2 className="font-medium text-base">{section.title}</h2>
                <ul className="mt-2 grid gap-0.5">
                  {section.items.map((item) => (
                    <li key={item.to}>
                      <Link
                        to={item.to}
                        className="inline-flex min-h-8 items-center rounded-base text-base text-ink-soft hover:text-ink hover:underline"
                      >
                        {item.label}
                      </Link>
                    </li>
                  ))}
                </ul>
              </nav>
            ))}
        </div>
      </div>
      <div className="mx-auto max-w-6xl px-4 sm:px-6">
        <div className="flex flex-wrap items-center justify-between gap-4 border-line border-t py-5">
          <p className="text-ink-soft text-sm">
            {copyright}
            {legalLine && <span className="block">{legalLine}</span>}
          </p>
          <ThemeToggle theme={theme} />
        </div>
      </div>
    </footer>
  );
}
