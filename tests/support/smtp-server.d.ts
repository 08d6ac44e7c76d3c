/** The parts of smtp-server that the tests use, because it has no types. */
declare module "smtp-server" {
  type Done = (error?: Error | null, found?: { user: string }) => void;
  export class SMTPServer {
    constructor(options: {
      disabledCommands?: string[];
      authOptional?: boolean;
      allowInsecureAuth?: boolean;
      onAuth?: (auth: { username: string; password: string }, session: unknown, done: Done) => void;
      onMailFrom?: (sender: { address: string }, session: unknown, done: Done) => void;
      onRcptTo?: (recipient: { address: string }, session: unknown, done: Done) => void;
      onData?: (stream: import("node:stream").Readable, session: unknown, done: Done) => void;
    });
    server: import("node:net").Server;
    listen(port: number, host: string): void;
    close(): void;
  }
}
