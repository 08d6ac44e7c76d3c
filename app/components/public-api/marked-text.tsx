/** A sentence in which `backticks` mark what is typed as it stands. */
export function MarkedText({ children }: { children: string }) {
  const parts = children.split("`");
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence never change places
  return parts.map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part));
}
