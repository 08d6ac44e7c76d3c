/**
 * Reads a body as strict UTF-8, counting bytes as they arrive, and stops reading beyond `maxBytes`.
 *
 * Network errors and aborts are thrown as they come.
 */
export async function readLimitedText(
  response: Response,
  maxBytes: number,
): Promise<{ text: string } | { problem: string }> {
  if (!response.body) return { text: "" };
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const reader = response.body.getReader();
  let text = "";
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      await reader.cancel();
      return { problem: `the answer is larger than ${maxBytes} bytes` };
    }
    try {
      text += decoder.decode(value, { stream: true });
    } catch {
      await reader.cancel();
      return { problem: "the answer is not UTF-8" };
    }
  }
  try {
    return { text: text + decoder.decode() };
  } catch {
    return { problem: "the answer is not UTF-8" };
  }
}
