import type { Server } from "node:http";

export declare function createProxy(runtime: { port: number; host: string; onGone: () => void }): Server;
