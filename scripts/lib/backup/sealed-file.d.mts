export function readBackupKey(text: string | undefined): Buffer;
export function writeSealed(
  file: string,
  lines: AsyncIterable<unknown> | Iterable<unknown>,
  key: Buffer,
): Promise<void>;
export function readSealed(file: string, key: Buffer): AsyncGenerator<unknown>;
