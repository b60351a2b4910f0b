// What a person calls the program behind a user agent. Pure.

/** The first that fits: most browsers name the others too. */
const BROWSERS: readonly [name: string, sign: RegExp][] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Headless)?Chrom(?:e|ium)\/|\bCriOS\//],
  ['Safari', /\bSafari\//],
];

const SYSTEMS: readonly [name: string, sign: RegExp][] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

export interface DeviceName {
  /** The name that the program gives itself if it is not a known browser; undefined if it gives none. */
  browser: string | undefined;
  system: string | undefined;
}

export function toDeviceName(userAgent: string): DeviceName {
  const nameIn = (names: typeof BROWSERS): string | undefined => names.find(([, sign]) => sign.test(userAgent))?.[0];
  return { browser: nameIn(BROWSERS) ?? /^[^\s/]+/.exec(userAgent)?.[0], system: nameIn(SYSTEMS) };
}
