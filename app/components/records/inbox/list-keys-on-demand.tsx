import { type ComponentType, useEffect, useState } from "react";

let loaded: { Keys: ComponentType } | undefined;

/** Keys of a list. They need a script anyway, so theirs is loaded when the page is there. */
export function ListKeys({ isOn }: { isOn: boolean }) {
  const [keys, setKeys] = useState(loaded);
  useEffect(() => {
    if (!isOn || loaded) return;
    let isWanted = true;
    import("./list-keys").then(
      ({ ListKeys }) => {
        loaded = { Keys: ListKeys };
        if (isWanted) setKeys(loaded);
      },
      () => {}, // Without the file the page works as it does without scripts.
    );
    return () => {
      isWanted = false;
    };
  }, [isOn]);
  return isOn && keys ? <keys.Keys /> : null;
}
