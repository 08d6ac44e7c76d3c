export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** One line of a bench: what, how much, and against what in the same run. */
export function row(what, figure, against) {
  console.log([what.padEnd(52), String(figure).padStart(14), against ? `  ${against}` : ""].join(""));
}
