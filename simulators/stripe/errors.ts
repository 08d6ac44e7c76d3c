/** Thrown by whatever cannot go on; becomes the provider's error body. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly type: "invalid_request_error" | "card_error" | "idempotency_error" | "api_error",
    message: string,
    readonly details: { code?: string; param?: string; decline_code?: string; payment_intent?: unknown } = {},
  ) {
    super(message);
  }
}

export const missing = (param: string) =>
  new Refusal(400, "invalid_request_error", `Missing required param: ${param}.`, { code: "parameter_missing", param });

export const invalid = (message: string, code?: string, param?: string) =>
  new Refusal(400, "invalid_request_error", message, { code, param });

/** The provider's error for an unknown id. */
export const noSuch = (what: string, id: string, param = "id") =>
  new Refusal(404, "invalid_request_error", `No such ${what}: '${id}'`, { code: "resource_missing", param });

export function errorBody({ type, message, details }: Refusal) {
  return { error: { type, message, ...details, doc_url: details.code && docUrl(details.code) } };
}

const docUrl = (code: string) => `https://stripe.com/docs/error-codes/${code.replaceAll("_", "-")}`;

export function errorAnswer(refusal: Refusal): Response {
  return Response.json(errorBody(refusal), { status: refusal.status });
}

const FAULTS: Record<number, Refusal> = {
  401: new Refusal(401, "invalid_request_error", "Invalid API Key provided: sk_test_***"),
  429: new Refusal(429, "invalid_request_error", "Request rate limit exceeded.", { code: "rate_limit" }),
};

export function faultAnswer(status: number): Response {
  return errorAnswer(FAULTS[status] ?? new Refusal(status, "api_error", "An unknown error occurred."));
}
