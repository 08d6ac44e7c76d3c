import { type ComponentType, useEffect, useState } from "react";
import { Button } from "./elements";

/** The button for the list of shortcuts. Until it can be used it is invisible, but reserves its space. */
export const KeysButton = ({ onClick }: { onClick?: () => void }) => (
  <Button
    variant="secondary"
    size="sm"
    icon="question"
    className={onClick ? "max-lg:hidden" : "invisible max-lg:hidden unscripted:hidden"}
    aria-haspopup="dialog"
    onClick={onClick}
  >
    Keys
  </Button>
);

/**
 * Keyboard shortcuts of a page. They need scripts anyway, so theirs is loaded after the page, unless they are turned
 * off. The space of their button is reserved, because a row that moved under the pointer would not open.
 */
export function keysOnDemand<P extends object>(load: () => Promise<ComponentType<P>>) {
  /** Loaded once, so that shortcuts on the next page work at once. */
  let loaded: { Keys: ComponentType<P> } | undefined;
  return function KeysOnDemand(props: P & { isOn: boolean }) {
    const { isOn } = props;
    const [keys, setKeys] = useState(loaded);
    useEffect(() => {
      if (!isOn || loaded) return;
      let isWanted = true;
      load().then(
        (Keys) => {
          loaded = { Keys };
          if (isWanted) setKeys(loaded);
        },
        () => {}, // Ignored: without the file, the page works as it does without scripts.
      );
      return () => {
        isWanted = false;
      };
    }, [isOn]);
    if (!isOn) return null;
    return keys ? <keys.Keys {...props} /> : <KeysButton />;
  };
}
