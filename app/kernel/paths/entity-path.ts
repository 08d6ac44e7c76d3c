import { appPaths } from "./app";

const PAGES: Readonly<Record<string, (id: string) => string>> = {
  payee: appPaths.payee,
  verification: appPaths.verification,
  payment: appPaths.payment,
  payment_file: appPaths.paymentFile,
  invoice: appPaths.supplierInvoice,
};

/** The page of the thing that an audit entry is about; null for what has no page. */
export function findEntityPath({ entityType, entityId }: { entityType: string | null; entityId: string | null }) {
  const toPath = PAGES[entityType ?? ""];
  return toPath && entityId ? toPath(entityId) : null;
}
