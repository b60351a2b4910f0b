// Loads libvips for the first image, because a start does not need it.
type Sharp = typeof import('sharp').default;

/** The only decoders that may run, whatever a file pretends to be. */
const DECODERS = ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif', 'Tiff', 'Svg'];

let loaded: Promise<Sharp> | undefined;

export function loadSharp(): Promise<Sharp> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    // Each variant is made once, so libvips' cache is of no use.
    sharp.cache(false);
    // One thread per image: several images are processed at once.
    sharp.concurrency(1);
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: DECODERS.map((name) => `VipsForeignLoad${name}`) });
    return sharp;
  });
  return loaded;
}
