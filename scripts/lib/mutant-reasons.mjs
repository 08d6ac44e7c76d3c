// Why mutants of the name matcher survive, as kinds. A kind is a sentence that a person wrote, and a rule that says of
// which mutants it is true. The first rule that fits counts; what fits none has not been gone through.

/** Files of what only saves time: names are ruled out early, letters are kept close together. */
const FOR_SPEED = /comparing\/(?:glance|rule-out)\.ts$|reading\/room\.ts$/;
/** A look at all flags, marks or letters of a name before its words are gone through one by one. */
const LOOK_AHEAD = /\.(?:union|marks|mask)\b[^;]*&/;
/** What is done once and kept. */
const KEPT = /\b(?:isParsed|isSeen|isHeard|known|REMEMBERED|explained)\b/;
/** Letters of the alphabet are read in a loop of their own; everything else is read as well by the general one. */
const PLAIN_LETTERS = /reading\/read-text\.ts$/;

const isLoop = (line) => /^(?:for|while) \(|\bfor \(let /.test(line);
/** "<" for "<=", or the other way round. */
const movesBound = ({ mutator, original, replacement }) =>
  mutator === "EqualityOperator" && original.replaceAll("=", "") === replacement.replaceAll("=", "");
/** A value taken from a list, and whether there is one. */
const ASKS_FOR_VALUE = /^\w+ [!=]== undefined(?: (?:\|\||&&) \w+ [!=]== undefined)*$/;

export const REASONS = [
  {
    kind: "speed",
    reason:
      "Saves time only: a name is ruled out early, a look at all words goes before the look at each, a result is kept, plain letters are read in a loop of their own. Without it the full comparison finds the same answer. That ruling out loses nothing is held by a property, what it saves by the bench.",
    fits: ({ file, line, original, lineNumber }) =>
      FOR_SPEED.test(file) ||
      LOOK_AHEAD.test(original) ||
      KEPT.test(line) ||
      (PLAIN_LETTERS.test(file) && lineNumber < 50),
  },
  {
    kind: "no value",
    reason:
      "What happens when a list has no value in a place, which the type checker asks for. The steps before see to it that there is one, so no name gets there.",
    fits: ({ mutator, original, before }) =>
      mutator === "OptionalChaining" || /\?\? -?$/.test(before) || ASKS_FOR_VALUE.test(original),
  },
  {
    kind: "one step further",
    reason: "A loop goes one place beyond the end of a list, where nothing is found.",
    fits: (mutant) => isLoop(mutant.line) && movesBound(mutant),
  },
  {
    kind: "bound",
    reason:
      "A limit that was tuned on labelled pairs and is held by their figures: no name of the tests lies exactly on it, or both answers are the same there.",
    fits: movesBound,
  },
];

export const NOT_GONE_THROUGH = {
  kind: "other",
  reason:
    "Not gone through one by one. Those that were looked at are conditions that another step repeats: roles and flags that the vocabulary or an earlier step rules out, and what is set again before it is read.",
};

/** @returns the kind of reason for which a mutant survives */
export const reasonOf = (mutant) => REASONS.find(({ fits }) => fits(mutant)) ?? NOT_GONE_THROUGH;
