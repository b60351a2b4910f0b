// The text of a model as people may see it: links, images and HTML that lead to foreign hosts are taken out while it
// streams, however it is cut into pieces. Text is held back only from where such a thing may begin.
import { type OwnAddresses, toRemoved } from './address.ts';

export interface SafeText {
  /** What of the text so far is certain. */
  push(piece: string): string;
  /** The rest, at the end. */
  end(): string;
}

interface Read {
  /** How many characters of the text are read. */
  length: number;
  text: string;
}

/** More to come before it can be read. */
const WAIT = Symbol('wait');

/** Neither a link nor a tag is longer; whatever is, is not one any more. */
const MAX_HELD_CHARS = 4000;
/** Schemes whose addresses need no slashes. */
const BARE_SCHEME = /(?:^|[^a-z0-9+.-])(?:https?|ftp|wss?|file|mailto|tel|sms|javascript|vbscript|data|blob)$/i;
/** The letter of a Windows drive does not count. */
const SCHEME = /[a-z][a-z0-9+.-]+$/i;
const WWW = /www$/i;
/** A name that only ends in it, as in "awww. Well", is not at the beginning of a word and nothing follows its dot. */
const WWW_WORD = /(?:^|[^\p{L}\p{N}])www$/iu;
const TAIL_CHARS = 40;
const NO_LINK = '#removed';

export function createSafeText(own: OwnAddresses): SafeText {
  let held = '';
  /** The end of what was let through: a scheme stands there when its colon arrives. */
  let tail = '';

  function readAll(isEnd: boolean): string {
    let out = '';
    let at = 0;
    const emit = (text: string): void => {
      out += text;
      tail = (tail + text).slice(-TAIL_CHARS);
    };
    while (at < held.length) {
      const next = held.slice(at).search(/[\]<:/\\.]/);
      if (next === -1) {
        emit(held.slice(at));
        at = held.length;
        break;
      }
      emit(held.slice(at, at + next));
      at += next;
      const rest = held.slice(at);
      const read = readSign(rest, tail, own, isEnd || rest.length > MAX_HELD_CHARS);
      if (read === WAIT) break;
      emit(read.text);
      at += read.length;
    }
    held = held.slice(at);
    return out;
  }

  return {
    push(piece) {
      held += piece;
      return readAll(false);
    },
    end: () => readAll(true),
  };
}

function readSign(rest: string, before: string, own: OwnAddresses, isEnd: boolean): Read | typeof WAIT {
  switch (rest[0]) {
    case ']':
      return readDestination(rest, own, isEnd);
    case '<':
      return readTag(rest, own, isEnd);
    case '.':
      return readDot(rest, before, own, isEnd);
    case ':':
      return readColon(rest, before, own, isEnd);
    default:
      return readSlashes(rest, before, own, isEnd);
  }
}

/** `](address "title")`, and `]: address` of a definition. */
function readDestination(rest: string, own: OwnAddresses, isEnd: boolean): Read | typeof WAIT {
  const opening = /^\][(:]\s*/.exec(rest)?.[0];
  if (opening === undefined) return rest.length === 1 && !isEnd ? WAIT : { length: 1, text: ']' };
  const after = rest.slice(opening.length);
  if (after === '' && !isEnd) return WAIT;
  // Whatever follows later, this is no link any more.
  if (after === '') return { length: opening.length, text: `] ${opening.slice(1)}` };
  const isAngled = after.startsWith('<');
  const found = (isAngled ? /^<[^>\n]*[>\n]/ : /^[^\s]*?(?=[\s)]|$)/).exec(after)?.[0] ?? after;
  const isOpen = found.length === after.length && !(isAngled && /[>\n]$/.test(found));
  if (isOpen && !isEnd) return WAIT;
  const length = opening.length + found.length;
  const destination = isAngled ? found.slice(1, -1) : found;
  // A definition without one, an empty link, or a colon after a bracket.
  if (destination === '') return { length, text: rest.slice(0, length) };
  if (own.isOwnDestination(destination)) return { length, text: rest.slice(0, length) };
  // Words after "]:" are not an address unless they look like one.
  if (opening.startsWith(']:') && !isAngled && /^[\p{L}\p{N}*_(,;-]+[.,!?]?$/u.test(destination)) {
    return { length, text: rest.slice(0, length) };
  }
  return { length, text: `${opening}${NO_LINK}` };
}

/** An address in angle brackets, or a tag of HTML: its name is kept, its attributes are not. */
function readTag(rest: string, own: OwnAddresses, isEnd: boolean): Read | typeof WAIT {
  if (rest.length === 1 && !isEnd) return WAIT;
  if (!/^<[a-z/!?]/i.test(rest)) return { length: 1, text: '<' };
  const end = rest.indexOf('>');
  const blank = rest.search(/\n[ \t]*\n/);
  if (end === -1 || (blank !== -1 && blank < end)) {
    if (blank === -1 && !isEnd) return WAIT;
    // Left open, it would take the text after it into an attribute.
    return { length: 1, text: '&lt;' };
  }
  const inner = rest.slice(1, end);
  const length = end + 1;
  if (/^[a-z][a-z0-9+.-]*:/i.test(inner)) {
    return { length, text: own.isOwn(inner) ? rest.slice(0, length) : toRemoved(inner) };
  }
  if (inner.includes('@')) return { length, text: '(link removed)' };
  const name = /^\/?[a-z][a-z0-9-]*/i.exec(inner)?.[0];
  // Their content can name an address in ways that only a browser reads.
  if (name && /^\/?(?:style|script)$/i.test(name)) return { length, text: '' };
  return { length, text: name ? `<${name}>` : '' };
}

/** Renderers find "www." after some words as well, such as in "httpswww.example.org". */
function readDot(rest: string, before: string, own: OwnAddresses, isEnd: boolean): Read | typeof WAIT {
  if (!WWW.test(before)) return { length: 1, text: '.' };
  if (rest.length === 1 && !isEnd) return WAIT;
  if (!WWW_WORD.test(before) && !/^\.\S/.test(rest)) return { length: 1, text: '.' };
  return readAddress(rest, 'www', own, isEnd);
}

function readColon(rest: string, before: string, own: OwnAddresses, isEnd: boolean): Read | typeof WAIT {
  if (!SCHEME.test(before)) return { length: 1, text: ':' };
  if (rest.length === 1 && !isEnd) return WAIT;
  const hasSlash = /^:[/\\]/.test(rest);
  if (!hasSlash && !(BARE_SCHEME.test(before) && /^:\S/.test(rest))) return { length: 1, text: ':' };
  return readAddress(rest, SCHEME.exec(before)?.[0] ?? '', own, isEnd);
}

/** Two of them begin the name of a host. */
function readSlashes(rest: string, before: string, own: OwnAddresses, isEnd: boolean): Read | typeof WAIT {
  if (rest.length === 1 && !isEnd) return WAIT;
  if (!/^[/\\]{2}/.test(rest)) return { length: 1, text: rest[0]! };
  // After a letter it is part of a path, or of a comment in code.
  if (rest.length === 2 && !isEnd) return WAIT;
  if (!/^[/\\]{2,}[^\s/\\]/.test(rest)) {
    const slashes = /^[/\\]*/.exec(rest)![0];
    if (slashes.length === rest.length && !isEnd) return WAIT;
    return { length: slashes.length, text: slashes };
  }
  return before.endsWith(':') ? { length: 1, text: '' } : readAddress(rest, '', own, isEnd);
}

/** `begun` is the part of the address that was let through already. */
function readAddress(rest: string, begun: string, own: OwnAddresses, isEnd: boolean): Read | typeof WAIT {
  const found = /^[^\s<>"'`\])|]*/.exec(rest)![0];
  if (found.length === rest.length && !isEnd) return WAIT;
  const address = begun + found;
  if (own.isOwn(address)) return { length: found.length, text: found };
  return { length: found.length, text: ` ${toRemoved(address)}` };
}
