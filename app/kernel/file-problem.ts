/** What is wrong, or unusual, in an uploaded file. Pure. */

/** An error refuses the file; a warning is only shown. */
type ProblemLevel = "error" | "warning";

export type FileProblem = {
  /** Line of the text, from 1; null when it concerns the whole file. */
  line: number | null;
  level: ProblemLevel;
  /** A plain sentence that starts with the line number. */
  message: string;
};

/** More problems of one level do not help: the rest are counted. */
const MAX_PROBLEMS = 25;

/** Collects problems while a file is read, up to `MAX_PROBLEMS` of each level. */
export type ProblemList = {
  error: (line: number | null, message: string) => void;
  warn: (line: number | null, message: string) => void;
  hasErrors: () => boolean;
  /** The problems in the order they were found, and a sentence about those left out. */
  list: () => FileProblem[];
};

export function collectProblems(): ProblemList {
  const problems: FileProblem[] = [];
  const counts = { error: 0, warning: 0 };
  const add = (level: ProblemLevel, line: number | null, message: string) => {
    counts[level]++;
    const text = line === null ? message : `Line ${line}: ${message}`;
    if (counts[level] <= MAX_PROBLEMS) problems.push({ line, level, message: text });
  };
  const leftOut = (level: ProblemLevel): FileProblem[] => {
    const more = counts[level] - MAX_PROBLEMS;
    const what = level === "error" ? "problem" : "warning";
    return more > 0 ? [{ line: null, level, message: `And ${more} more ${what}${more === 1 ? "" : "s"}.` }] : [];
  };
  return {
    error: (line, message) => add("error", line, message),
    warn: (line, message) => add("warning", line, message),
    hasErrors: () => counts.error > 0,
    list: () => [...problems, ...leftOut("error"), ...leftOut("warning")],
  };
}

/** At most this many lines are named in one sentence. */
const MAX_NAMED = 10;

/** `line 3`, `lines 3, 7 and 9`; of many lines, the first ten and how many more. */
export function nameLines(lines: readonly number[]): string {
  const named = lines.slice(0, MAX_NAMED);
  const more = lines.length - named.length;
  const parts = more > 0 ? [named.join(", "), `${more} more`] : [named.slice(0, -1).join(", "), String(named.at(-1))];
  return `line${lines.length === 1 ? "" : "s"} ${parts.filter(Boolean).join(" and ")}`;
}
