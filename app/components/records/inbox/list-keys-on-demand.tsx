import { keysOnDemand } from "~/components/ui/keys-on-demand";

export const ListKeys = keysOnDemand(() => import("./list-keys").then(({ ListKeys }) => ListKeys));
