import * as z from "zod";
import type { SimulatorContext } from "../party";

const checkSchema = z.object({
  verificationId: z.string(),
  providerUserId: z.string().nullable(),
  state: z.string().nullable(),
  submitted: z.object({ accountName: z.string(), bsb: z.string(), accountNumber: z.string() }),
  payee: z.object({ name: z.string(), abn: z.string().nullable() }),
});

/** The submitted details of a bank check: a real bank knows its customers, but the simulated one has to ask the app. */
export type BankCheck = z.infer<typeof checkSchema>;

/** Asks the app under `/__local`, which a deployed app does not answer. */
export async function findBankCheck(
  context: Pick<SimulatorContext, "appOrigin" | "callApp">,
  by: { verificationId: string } | { providerUserId: string },
): Promise<{ check: BankCheck } | { problem: "unknown" | "unreachable" }> {
  const address = `${context.appOrigin}/__local/bank-checks`;
  const url =
    "verificationId" in by
      ? `${address}/${encodeURIComponent(by.verificationId)}`
      : `${address}?providerUserId=${encodeURIComponent(by.providerUserId)}`;
  try {
    const response = await context.callApp(new Request(url, { headers: { accept: "application/json" } }));
    if (response.status === 404) return { problem: "unknown" };
    if (!response.ok) return { problem: "unreachable" };
    return { check: checkSchema.parse(await response.json()) };
  } catch {
    return { problem: "unreachable" };
  }
}
