import { type ComponentType, useEffect, useState } from "react";
import { Button } from "~/components/ui/button";

/** The button that shows what each key does. Before there is something to show it keeps its place, unseen. */
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
 * Keys of a page. They need a script anyway, so theirs is loaded when the page is there, unless they are switched off.
 * Until then their button's place is kept: a row that moved away
 * under the pointer would not open.
 */
export function keysOnDemand<P extends object>(load: () => Promise<ComponentType<P>>) {
  /** Loaded once: the next page's keys work at once. */
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
        () => {}, // Without the file the page works as it does without scripts.
      );
      return () => {
        isWanted = false;
      };
    }, [isOn]);
    if (!isOn) return null;
    return keys ? <keys.Keys {...props} /> : <KeysButton />;
  };
}
