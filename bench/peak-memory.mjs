import { readdirSync, readFileSync, writeFileSync } from "node:fs";

/** Resets the record of workerd's peak memory to what it uses now. */
export function forgetPeak(supervisorPid) {
  for (const { pid } of workerds(supervisorPid)) writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

/** The most memory that the app's workerd has used so far, in MiB; undefined where /proc does not say. */
export function peakMemory(supervisorPid) {
  const peaks = workerds(supervisorPid).flatMap(({ status }) => {
    const peak = /^VmHWM:\s+(\d+)/m.exec(status);
    return peak ? [Number(peak[1]) / 1024] : [];
  });
  return peaks.length > 0 ? Math.round(Math.max(...peaks)) : undefined;
}

function workerds(supervisorPid) {
  const statusOf = (pid) => {
    try {
      return readFileSync(`/proc/${pid}/status`, "utf8");
    } catch {
      return "";
    }
  };
  const all = new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => [pid, statusOf(pid)]),
  );
  const parentOf = (pid) => /^PPid:\s+(\d+)/m.exec(all.get(pid) ?? "")?.[1];
  const isBelow = (pid) => pid !== undefined && (pid === String(supervisorPid) || isBelow(parentOf(pid)));
  return [...all].flatMap(([pid, status]) =>
    /^Name:\s+workerd/m.test(status) && isBelow(pid) ? [{ pid, status }] : [],
  );
}
