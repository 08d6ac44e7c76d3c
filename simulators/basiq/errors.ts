import type { SimulatedCall } from "../party";

const TITLES: Record<string, string> = {
  "parameter-not-supplied": "Required parameter not supplied",
  "parameter-not-valid": "Parameter value is not valid",
  "invalid-content": "Invalid request content",
  "unauthorized-access": "Unauthorized access",
  "forbidden-access": "Forbidden access",
  "resource-not-found": "Requested resource is not found",
  "resource-no-longer-available": "Requested resource is no longer available",
  "too-many-requests": "Too many requests",
  "internal-server-error": "Internal server error",
  "service-unavailable": "Service unavailable",
};

const CODES: Record<number, string> = {
  401: "unauthorized-access",
  429: "too-many-requests",
  500: "internal-server-error",
  503: "service-unavailable",
};

/** The provider's error body: a list of errors under a correlation id. */
export function basiqError(
  call: SimulatedCall,
  status: number,
  { code, detail, parameter }: { code: string; detail: string; parameter?: string },
): Response {
  const error = {
    type: "error",
    code,
    title: TITLES[code] ?? code,
    detail,
    ...(parameter && { source: { parameter } }),
  };
  return Response.json({ type: "list", correlationId: call.correlationId, data: [error] }, { status });
}

export function basiqFault(call: SimulatedCall, status: number): Response {
  return basiqError(call, status, { code: CODES[status] ?? "internal-server-error", detail: "Simulated fault" });
}

export function notFound(call: SimulatedCall, detail = "Requested resource is not found."): Response {
  return basiqError(call, 404, { code: "resource-not-found", detail });
}

export function badRequest(call: SimulatedCall, detail: string, parameter?: string): Response {
  return basiqError(call, 400, { code: parameter ? "parameter-not-valid" : "invalid-content", detail, parameter });
}
