import type { ChildProcess } from "node:child_process";

export function findSqld(): string | undefined;
export function startSqld(where: { folder: string; port: number }): Promise<{ child: ChildProcess; url: string }>;
