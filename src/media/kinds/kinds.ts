// The kinds of file that media accepts, and how each is served. A kind is detected by content (detect.ts); any other is
// refused. Executables, installers and scripts are left out on purpose, and so are fonts, which decisions.md does not
// list.
import type { MediaType } from '../media.ts';

export interface Kind {
  type: MediaType;
  contentType: string;
  /** Extensions that fit the content, without the dot; a file whose name has none of them gets the first. */
  extensions: readonly [string, ...string[]];
  /** Whether browsers may show it in place; other kinds are served as attachments. */
  display: boolean;
}

type KindRow = [type: MediaType, contentType: string, extensions: Kind['extensions'], display?: 'display'];

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const OPEN = 'application/vnd.oasis.opendocument';

/** By file-type's name for the content. */
const ROWS: Record<string, KindRow> = {
  png: ['image', 'image/png', ['png', 'apng'], 'display'],
  apng: ['image', 'image/apng', ['png', 'apng'], 'display'],
  jpg: ['image', 'image/jpeg', ['jpg', 'jpeg', 'jpe', 'jfif'], 'display'],
  gif: ['image', 'image/gif', ['gif'], 'display'],
  webp: ['image', 'image/webp', ['webp'], 'display'],
  avif: ['image', 'image/avif', ['avif'], 'display'],
  bmp: ['image', 'image/bmp', ['bmp', 'dib'], 'display'],
  ico: ['image', 'image/x-icon', ['ico'], 'display'],
  tif: ['image', 'image/tiff', ['tif', 'tiff']],
  heic: ['image', 'image/heic', ['heic', 'heif', 'hif']],
  jxl: ['image', 'image/jxl', ['jxl']],

  svg: ['svg', 'image/svg+xml', ['svg'], 'display'],

  mp3: ['audio', 'audio/mpeg', ['mp3'], 'display'],
  mp2: ['audio', 'audio/mpeg', ['mp2', 'mpga'], 'display'],
  wav: ['audio', 'audio/wav', ['wav', 'wave'], 'display'],
  ogg: ['audio', 'audio/ogg', ['ogg', 'oga'], 'display'],
  oga: ['audio', 'audio/ogg', ['oga', 'ogg'], 'display'],
  spx: ['audio', 'audio/ogg', ['spx', 'ogg', 'oga'], 'display'],
  opus: ['audio', 'audio/ogg', ['opus', 'ogg', 'oga'], 'display'],
  flac: ['audio', 'audio/flac', ['flac'], 'display'],
  m4a: ['audio', 'audio/mp4', ['m4a', 'mp4'], 'display'],
  m4b: ['audio', 'audio/mp4', ['m4b', 'm4a'], 'display'],
  aac: ['audio', 'audio/aac', ['aac'], 'display'],
  aif: ['audio', 'audio/aiff', ['aif', 'aiff', 'aifc'], 'display'],
  amr: ['audio', 'audio/amr', ['amr']],
  ac3: ['audio', 'audio/ac3', ['ac3']],
  caf: ['audio', 'audio/x-caf', ['caf']],
  mid: ['audio', 'audio/midi', ['mid', 'midi']],

  mp4: ['document', 'video/mp4', ['mp4', 'm4v', 'm4a'], 'display'],
  m4v: ['document', 'video/mp4', ['m4v', 'mp4'], 'display'],
  mov: ['document', 'video/quicktime', ['mov', 'qt'], 'display'],
  webm: ['document', 'video/webm', ['webm', 'weba'], 'display'],
  mkv: ['document', 'video/matroska', ['mkv', 'mka'], 'display'],
  ogv: ['document', 'video/ogg', ['ogv', 'ogg'], 'display'],
  '3gp': ['document', 'video/3gpp', ['3gp'], 'display'],
  '3g2': ['document', 'video/3gpp2', ['3g2'], 'display'],
  avi: ['document', 'video/vnd.avi', ['avi']],
  mpg: ['document', 'video/mpeg', ['mpg', 'mpeg']],
  mts: ['document', 'video/mp2t', ['mts', 'm2ts', 'ts']],
  asf: ['document', 'video/x-ms-asf', ['wmv', 'asf', 'wma']],
  flv: ['document', 'video/x-flv', ['flv']],

  pdf: ['document', 'application/pdf', ['pdf', 'ai'], 'display'],
  rtf: ['document', 'application/rtf', ['rtf']],
  epub: ['document', 'application/epub+zip', ['epub']],
  docx: ['document', `${OFFICE}.wordprocessingml.document`, ['docx']],
  dotx: ['document', `${OFFICE}.wordprocessingml.template`, ['dotx']],
  xlsx: ['document', `${OFFICE}.spreadsheetml.sheet`, ['xlsx']],
  xltx: ['document', `${OFFICE}.spreadsheetml.template`, ['xltx']],
  pptx: ['document', `${OFFICE}.presentationml.presentation`, ['pptx']],
  potx: ['document', `${OFFICE}.presentationml.template`, ['potx']],
  ppsx: ['document', `${OFFICE}.presentationml.slideshow`, ['ppsx']],
  docm: ['document', 'application/vnd.ms-word.document.macroenabled.12', ['docm']],
  xlsm: ['document', 'application/vnd.ms-excel.sheet.macroenabled.12', ['xlsm']],
  pptm: ['document', 'application/vnd.ms-powerpoint.presentation.macroenabled.12', ['pptm']],
  odt: ['document', `${OPEN}.text`, ['odt']],
  ods: ['document', `${OPEN}.spreadsheet`, ['ods']],
  odp: ['document', `${OPEN}.presentation`, ['odp']],
  odg: ['document', `${OPEN}.graphics`, ['odg']],
  ott: ['document', `${OPEN}.text-template`, ['ott']],
  ots: ['document', `${OPEN}.spreadsheet-template`, ['ots']],
  otp: ['document', `${OPEN}.presentation-template`, ['otp']],
  pages: ['document', 'application/vnd.apple.pages', ['pages']],
  numbers: ['document', 'application/vnd.apple.numbers', ['numbers']],
  key: ['document', 'application/vnd.apple.keynote', ['key']],
  doc: ['document', 'application/msword', ['doc', 'dot']],
  xls: ['document', 'application/vnd.ms-excel', ['xls', 'xlt']],
  ppt: ['document', 'application/vnd.ms-powerpoint', ['ppt', 'pps', 'pot']],

  zip: ['document', 'application/zip', ['zip']],
  tar: ['document', 'application/x-tar', ['tar']],
  gz: ['document', 'application/gzip', ['gz', 'tgz', 'svgz']],
  bz2: ['document', 'application/x-bzip2', ['bz2', 'tbz2']],
  xz: ['document', 'application/x-xz', ['xz', 'txz']],
  zst: ['document', 'application/zstd', ['zst']],
  '7z': ['document', 'application/x-7z-compressed', ['7z']],
  rar: ['document', 'application/vnd.rar', ['rar']],

  // Text has no signature: the name says which of these it is (detect-text.ts).
  txt: [
    'document',
    'text/plain',
    ['txt', 'text', 'log', 'css', 'srt', 'conf', 'ini', 'toml', 'sql', 'tex', 'diff'],
    'display',
  ],
  csv: ['document', 'text/csv', ['csv']],
  tsv: ['document', 'text/tab-separated-values', ['tsv', 'tab']],
  md: ['document', 'text/markdown', ['md', 'markdown', 'mdx']],
  vtt: ['document', 'text/vtt', ['vtt']],
  ics: ['document', 'text/calendar', ['ics']],
  vcf: ['document', 'text/vcard', ['vcf']],
  yaml: ['document', 'application/yaml', ['yaml', 'yml']],
  json: ['document', 'application/json', ['json']],
  geojson: ['document', 'application/geo+json', ['geojson']],
  xml: ['document', 'application/xml', ['xml', 'gpx', 'kml', 'rss', 'atom']],
};

const KINDS: ReadonlyMap<string, Kind> = new Map(
  Object.entries(ROWS).map(([name, [type, contentType, extensions, display]]) => [
    name,
    { type, contentType, extensions, display: display !== undefined },
  ]),
);

export function findKind(name: string): Kind | undefined {
  return KINDS.get(name);
}

export function getKind(name: string): Kind {
  const kind = KINDS.get(name);
  if (!kind) throw new Error(`unknown kind of file "${name}"`);
  return kind;
}

const EXTENSIONS: ReadonlySet<string> = new Set([...KINDS.values()].flatMap(({ extensions }) => extensions));

/** True if files of some kind may have it. */
export function isMediaExtension(extension: string): boolean {
  return EXTENSIONS.has(extension);
}

/** The extension of a file's name in lower case, without the dot; empty if it has none. */
export function extensionOf(name: string): string {
  return /\.([A-Za-z0-9]{1,12})$/.exec(name)?.[1]?.toLowerCase() ?? '';
}
