// Libvips, loaded when the first image is looked at: a start has no use for it.
type Sharp = typeof import('sharp').default;

/** Of its decoders those that are meant, whatever a file pretends to be. */
const DECODERS = ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif', 'Tiff', 'Svg'];

let loaded: Promise<Sharp> | undefined;

export function loadSharp(): Promise<Sharp> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    // Everything is made once, so that what libvips would remember is of no use.
    sharp.cache(false);
    // Several images at once have a thread each.
    sharp.concurrency(1);
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: DECODERS.map((name) => `VipsForeignLoad${name}`) });
    return sharp;
  });
  return loaded;
}
