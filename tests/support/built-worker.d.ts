declare module "*/build/index.js" {
  const worker: {
    fetch(
      request: Request,
      env: Record<string, unknown>,
      context: { waitUntil(work: Promise<unknown>): void },
    ): Promise<Response>;
    email(
      message: {
        from: string;
        to: string;
        raw: ReadableStream<Uint8Array>;
        rawSize: number;
        setReject(reason: string): void;
      },
      env: Record<string, unknown>,
    ): Promise<void>;
  };
  export default worker;
}
