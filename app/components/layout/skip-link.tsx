/** First stop of the keyboard: past the header, to the page's own content (`<main id="main">`). */
export function SkipLink() {
  return (
    <a
      href="#main"
      className="fixed top-2 left-2 z-50 -translate-y-20 rounded-base bg-accent px-4 py-2 font-medium text-base text-on-accent focus:translate-y-0"
    >
      Skip to content
    </a>
  );
}
