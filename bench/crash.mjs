import { readdirSync, readFileSync } from "node:fs";

/** Every process below one, deepest first. */
function descendants(pid) {
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        return [{ pid: Number(name), parent: Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) }];
      } catch {
        return [];
      }
    });
  const below = (of) => parents.filter(({ parent }) => parent === of).flatMap((each) => [...below(each.pid), each.pid]);
  return below(pid);
}

const MOMENT_MS = 300;

const isOutside = (pid) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("simulators");
  } catch {
    return false;
  }
};

function kill(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process ended with its parent.
  }
}

/**
 * Ends every process of a running copy at once, as a power cut does. The simulators represent other companies, whose
 * computers keep running, so they get a moment to record what reached them.
 */
export async function killAll(app) {
  const all = [...descendants(app.supervisor.pid), app.supervisor.pid];
  const [outside, ours] = [all.filter(isOutside), all.filter((pid) => !isOutside(pid))];
  for (const pid of ours) kill(pid);
  await new Promise((resolve) => setTimeout(resolve, MOMENT_MS));
  for (const pid of outside) kill(pid);
  await app.ended;
}
