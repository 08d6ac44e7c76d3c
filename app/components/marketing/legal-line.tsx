import { useRootData } from "~/components/layout/root-data";

/** Who runs the service, as configured; nothing while it is not. */
export function LegalLine() {
  const legalLine = useRootData()?.legalLine;
  return legalLine ? <p>{legalLine}</p> : null;
}
