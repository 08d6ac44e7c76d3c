/**
 * Placeholders in the API document's examples. Each stands for a row of the reader's own organisation; the test that
 * sends every example replaces them with real ids.
 */
export const EXAMPLE = {
  organization: "01a1f2b0-6a41-7c1e-9d15-3c0d5b6a7e01",
  person: "01a1f2b0-6a41-7c1e-9d15-3c0d5b6a7e02",
  payee: "01a1f2b3-0b52-7a90-8f2b-6f1f0c2d4a11",
  whitelistedPayee: "01a1f2b3-0b52-7a90-8f2b-6f1f0c2d4a12",
  payeeRequest: "01a1f2b3-0b52-7a90-8f2b-6f1f0c2d4a14",
  verification: "01a1f2b3-0b58-7d03-9a6e-2b7e9d0c5f21",
  decidedVerification: "01a1f2b3-0b58-7d03-9a6e-2b7e9d0c5f23",
  bulkCheck: "01a1f2b5-1f20-7b64-8c3d-4e5a6b7c8d24",
  heldPayment: "01a1f2b7-9c04-7b11-8c55-9e3a1f60d731",
  authorisedPayment: "01a1f2b7-9c04-7b11-8c55-9e3a1f60d732",
  openFile: "01a1f2bd-44e0-7f6a-b1d2-0a5c8e7f9b41",
  heldFile: "01a1f2bd-44e0-7f6a-b1d2-0a5c8e7f9b42",
  clearedFile: "01a1f2bd-44e0-7f6a-b1d2-0a5c8e7f9b43",
  clearing: "01a1f2bf-7a18-7e30-a4c6-51d3b2e8f051",
  invoice: "01a1f2c0-2e51-7d18-9b47-3f8a6c0d2e55",
  import: "01a1f2c1-3d77-7c92-9e08-7b4f6a1c2d61",
  endpoint: "01a1f2c6-0d13-7b48-9c70-2f6e8a4b1d81",
  endedDelivery: "01a1f2c6-2b90-7a15-8e42-6d1c3f5a7b82",
  alert: "01a1f2c5-1b04-7e62-9a47-5d2c8f1e3a75",
  entry: "01a1f2c4-58aa-7d4f-8b31-e90c2f7d5a71",
  joinableOrganization: "01a1f2b0-6a41-7c1e-9d15-3c0d5b6a7e03",
  linkToken: "Zk3vJ0p8Qm2tYx7RcW5nHs1LbD9gUa4E",
  linkVerification: "01a1f2b3-0b58-7d03-9a6e-2b7e9d0c5f22",
  linkPayee: "01a1f2b3-0b52-7a90-8f2b-6f1f0c2d4a13",
  resetToken: "q8TnV2xKc6JdR4mYw0ZpLs9HbG3fUe7A",
  email: "mira.okafor@harbourjoinery.example",
  newEmail: "sam.tran@wattlecreek.example",
  domain: "harbourjoinery.example",
  password: "Correct-horse-7",
} as const;

export type ExampleName = keyof typeof EXAMPLE;

/** The time of the examples. */
export const EXAMPLE_INSTANT = "2026-11-20T05:31:00.000Z";
export const EXAMPLE_SHA256 = "9f2c41a07de35b8846f1c0b92ad7e358614f0c7ab93d52e8f06a1b7c4d9ee07b";
