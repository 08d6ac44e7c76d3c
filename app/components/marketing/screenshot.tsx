interface ScreenshotProps {
  /** The file in `public/pictures`, made by `npm run screenshots -- help`. */
  name: string;
  /** What is on it, for people who do not see it. */
  alt: string;
  caption: string;
}

/** Every picture is this wide and high; it is drawn no wider than the text. */
const SIZE = { width: 1120, height: 700 };

/** A page of the product as it is. The people and payees on it are invented. */
export function Screenshot({ name, alt, caption }: ScreenshotProps) {
  return (
    <figure className="mt-6 overflow-clip rounded-base bg-surface shadow-lift border border-line">
      <img src={`/pictures/${name}.jpg`} alt={alt} {...SIZE} loading="lazy" className="block h-auto w-full" />
      <figcaption className="border-line border-t bg-sunken px-5 py-2.5 text-ink-soft text-sm">{caption}</figcaption>
    </figure>
  );
}
