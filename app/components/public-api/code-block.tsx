/** Text as a program reads it; long lines scroll within it. */
export function CodeBlock({ label, children }: { label: string; children: string }) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
      tabIndex={0}
      aria-label={label}
      className="mt-3 max-w-full overflow-x-auto rounded-base border border-line bg-sunken/60 p-4"
    >
      <pre className="figures font-mono text-sm">{children}</pre>
    </section>
  );
}
