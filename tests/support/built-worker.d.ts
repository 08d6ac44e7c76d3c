declare module "*/build/index.js" {
  const worker: {
    fetch(
      request: Request,
      env: Record<string, unknown>,
      context: { waitUntil(work: Promise<unknown>): void },
    ): Promise<Response>;
  };
  export default worker;
}
