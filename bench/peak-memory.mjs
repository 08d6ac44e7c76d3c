import { readdirSync, readFileSync } from "node:fs";

/** The most memory that the app's workerd has held so far, in MiB; undefined where /proc does not say. */
export function peakMemory(supervisorPid) {
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
  const peaks = [...all].flatMap(([pid, status]) => {
    const peak = /^Name:\s+workerd/m.test(status) && isBelow(pid) && /^VmHWM:\s+(\d+)/m.exec(status);
    return peak ? [Number(peak[1]) / 1024] : [];
  });
  return peaks.length > 0 ? Math.round(Math.max(...peaks)) : undefined;
}
