import { createServer } from "node:net";

export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** One line of a bench: what, how much, and against what in the same run. */
export function row(what, figure, against) {
  console.log([what.padEnd(52), String(figure).padStart(14), against ? `  ${against}` : ""].join(""));
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(String(port)));
    });
  });
}

export const freePorts = (count) => Promise.all(Array.from({ length: count }, freePort));
