/** How something was verified, beside or under the word that says that it was; nothing where it was not. */
export function GradeNote({ grade }: { grade: string | null }) {
  return grade === null ? null : <span className="text-base text-ink-soft">{grade}</span>;
}
