import { pendingHref, type QueueView, reviewHref } from "./pending-address";

/** Where an item is in the view of the queue it was opened from, and where its reader goes from here. Pure. */

export type Place = {
  /** Undefined far down, and once it is decided. */
  position?: number;
  /** Of those that the view shows, up to the cap; undefined beyond it. */
  total?: number;
  previousId?: string;
  nextId?: string;
};

export type PlaceView = {
  /** "3 of 14"; null once it is decided, or too far down to be counted. */
  position: string | null;
  listHref: string;
  previousHref: string | null;
  nextHref: string | null;
  /** After a decision: the next item for those who chose so, else the list. */
  onwardHref: string;
  goesOn: boolean;
};

export function toPlaceView(place: Place, view: QueueView, { reviewNext }: { reviewNext: boolean }): PlaceView {
  const { position, total, previousId, nextId } = place;
  const listHref = pendingHref(view);
  const nextHref = nextId === undefined ? null : reviewHref(nextId, view);
  const goesOn = reviewNext && nextHref !== null;
  return {
    position: position === undefined ? null : `${position}${total === undefined ? "" : ` of ${total}`}`,
    listHref,
    previousHref: previousId === undefined ? null : reviewHref(previousId, view),
    nextHref,
    onwardHref: goesOn ? nextHref : listHref,
    goesOn,
  };
}
