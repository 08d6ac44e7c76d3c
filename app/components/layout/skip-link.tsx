/** The first keyboard stop: skips the header, or the beginning of the page, to go to its content. */
export function SkipLink({ to = "main", children = "Skip to content" }: { to?: string; children?: string }) {
  return (
    <a
      data-screen-only
      href={`#${to}`}
      className="fixed top-2 left-2 z-50 -translate-y-20 rounded-base bg-accent px-4 py-2 font-medium text-base text-on-accent focus:translate-y-0"
    >
      {children}
    </a>
  );
}
