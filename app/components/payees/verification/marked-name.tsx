import type { MarkedStretch } from "~/modules/name-match";

/**
 * An account name in which words that the other side lacks are highlighted and underlined, with a caret where the other
 * side has more. The marks are only visual: screen readers get the whole name, and `DifferenceList` describes the
 * differences.
 */
export function MarkedName({ stretches }: { stretches: readonly MarkedStretch[] }) {
  let at = 0;
  return (
    <span className="whitespace-pre-wrap">
      {stretches.map((stretch) => {
        const key = `${at} ${stretch.status}`;
        at += stretch.text.length;
        return <Stretch key={key} {...stretch} />;
      })}
    </span>
  );
}

function Stretch({ text, status }: MarkedStretch) {
  if (text === "") {
    return (
      <span aria-hidden="true" className="mx-px inline-block h-[1.1em] border-pending border-l-2 align-[-0.2em]" />
    );
  }
  if (status === "same") return <>{text}</>;
  if (status === "formatting") {
    return (
      <span className="underline decoration-1 decoration-control decoration-dotted underline-offset-4">{text}</span>
    );
  }
  return <mark className="border-pending border-b-2 bg-mark box-decoration-clone px-px text-ink">{text}</mark>;
}
