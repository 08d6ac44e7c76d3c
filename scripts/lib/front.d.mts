import type { Server } from "node:http";

export declare function createFront(runtime: { port: number; host: string; onGone: () => void }): Server;
