import { readdirSync, readFileSync } from "node:fs";

const MS_PER_TICK = 10;

function statOf(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  const [, name] = /\((.*)\)/.exec(text);
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return { pid, name, parent: Number(fields[1]), ms: (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK };
}

function everyProcess() {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return [statOf(Number(name))];
    } catch {
      return []; // Ended while we looked.
    }
  });
}

/** The process id of the workerd that this supervisor started. Linux only: it reads /proc. */
export function findWorkerd(supervisorPid) {
  const all = everyProcess();
  const below = (pid) => all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...below(child.pid)]);
  const found = below(supervisorPid).find(({ name }) => name === "workerd");
  if (!found) throw new Error("no workerd below the supervisor");
  return found.pid;
}

/** Processor time that a process has used since it started, in milliseconds. */
export const processorTime = (pid) => statOf(pid).ms;
