// Commits that pretend to be the service's: under its name, or with the trailers that only it writes. The service
// trusts the trailers of its own commits (commit-record.ts), so nobody else may write them. Pure.
import { normalize } from '../../lib/text/stream-safe.ts';
import { type Person, parseCommit } from '../../store/git/objects.ts';

/** Trailers that record who did what, each in the service's own form; other tools use some of the same names. */
const TRAILERS: Record<string, RegExp> = {
  event: /^[a-z]+\.[a-z]+$/,
  'document-id': /^[0-9A-Za-z]{12}$/,
  'also-changed': /^(?:\*|[0-9A-Za-z]{12}(?:, [0-9A-Za-z]{12})*)$/,
  actor: /^(?:user|ai|import|system)$/,
  'change-id': /^[0-9a-f]{20}$/,
  user: /^\S+$/,
  token: /^\S+$/,
  via: /^\S+$/,
  'pushed-by': /./,
  'request-id': /^\S+$/,
  'idempotency-key': /./,
  'ai-model': /^\S+$/,
  'not-shown': /^[0-9a-f]{40} \S+ \S+$/,
  replaces: /^[0-9a-f]{40} on (?:[0-9a-f]{40}|nothing)$/,
  'restored-from': /^[0-9a-f]{7,40}$/,
  'renamed-from': /^\S+$/,
  documents: /^\d+$/,
};
/**
 * The key of a line; the value follows it. One pattern for both would search for the value's end from each of its
 * spaces.
 */
const KEY = /^([A-Za-z][A-Za-z-]*)\s*:/;
const LINE_END = /\r\n|\r|\n/;
/** git continues a trailer's value in the indented lines below it. */
const FOLD = /(?:\r\n|\r|\n)[ \t]+/g;

/** In a terminal these characters make one name look like another. */
const DECEPTIVE = /[\p{Cc}\p{Bidi_Control}]/u;

/** git decodes a commit, headers included, with the encoding that it names: other encodings give other text. */
const ENCODINGS = new Map<string, 'utf8' | 'latin1'>([
  ['utf-8', 'utf8'],
  ['utf8', 'utf8'],
  ['us-ascii', 'utf8'],
  ['iso-8859-1', 'latin1'],
  ['iso8859-1', 'latin1'],
  ['latin1', 'latin1'],
]);

/** Letters that look like those of our name, but that normalisation keeps apart (Unicode's confusables.txt). */
const LOOKS_LIKE: Record<string, string> = {
  c: 'сСϲϹᴄ',
  o: '0оОοΟσօՕᴏ',
  l: 'I1|ӀӏІΙǀן',
  p: 'рРρΡ',
  h: 'һНΗհ',
  n: 'ոռΝпɴ',
};
const LATIN = new Map(Object.entries(LOOKS_LIKE).flatMap(([letter, alike]) => [...alike].map((one) => [one, letter])));

/** Why a commit pretends to be the service's, in words for the pusher; undefined if it does not. */
export function forgeryOf(body: Buffer, service: Person): string | undefined {
  const encodings = headersOf(body, 'encoding');
  const encoding = ENCODINGS.get((encodings[0] ?? 'utf-8').toLowerCase());
  if (!encoding || encodings.length > 1) {
    return 'names an encoding that may change its author and message; set i18n.commitEncoding to utf-8';
  }
  // If there are several, one program shows the first and another the last.
  if (headersOf(body, 'author').length > 1 || headersOf(body, 'committer').length > 1) {
    return 'has more than one author or committer';
  }
  const { author, committer, message } = parseCommit(encoding === 'utf8' ? body : Buffer.from(body.toString(encoding)));
  if ([author, committer].some(({ name, email }) => DECEPTIVE.test(name) || DECEPTIVE.test(email))) {
    return 'names an author or committer with control characters, or with characters that change the direction of text';
  }
  if (fold(committer.name) === fold(service.name) || fold(committer.email) === fold(service.email)) {
    return `is committed as ${service.name}, which did not make it; commit as yourself`;
  }
  const [, ...lines] = message.split(LINE_END);
  const [, ...unfolded] = message.replace(FOLD, ' ').split(LINE_END);
  const keys = new Set<string>();
  for (const line of [...lines, ...unfolded]) {
    const [start = '', key = ''] = KEY.exec(line) ?? [];
    const form = Object.hasOwn(TRAILERS, key.toLowerCase()) ? TRAILERS[key.toLowerCase()] : undefined;
    if (form?.test(line.slice(start.length).trim())) keys.add(key);
  }
  if (keys.size === 0) return undefined;
  const which = keys.size > 1 ? 'trailers' : 'trailer';
  return `has the ${which} ${[...keys].join(', ')}, which only the service writes; remove it from the message`;
}

/** The first lines of a header's values; continuation lines start with a space. */
function headersOf(body: Buffer, name: string): string[] {
  const end = body.indexOf('\n\n');
  const head = body.toString('latin1', 0, end < 0 ? body.length : end);
  return head.split('\n').flatMap((line) => (line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : []));
}

/** Whether the committer is exactly the service: then its trailers would be trusted. */
export function isInName(body: Buffer, service: Person): boolean {
  const { committer } = parseCommit(body);
  return committer.name === service.name && committer.email === service.email;
}

/**
 * Makes names that look alike equal: letters and digits only, without accents, look-alikes replaced with Latin ones.
 */
function fold(text: string): string {
  const plain = normalize(text, 'NFKD').replace(/[^\p{L}\p{N}|]/gu, '');
  return [...plain]
    .map((char) => LATIN.get(char) ?? char)
    .join('')
    .toLowerCase();
}
