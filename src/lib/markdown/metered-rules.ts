// marked's rules, each charging what it looks at. Those that are here look at more than they take: what one of them reads in
// vain, the next one reads again.
import type { Lexer } from 'marked';

type Rules = Lexer['tokenizer']['rules'];

export interface Meter {
  /** Throws if the text costs too much. */
  charge(cost: number): void;
  /**
   * How many characters are left from the next line that makes a heading of those above it, and from the next blank
   * line, in the source whose blocks are being read; 0 if no such line follows, more than are left if it is not known.
   */
  underline: number;
  blank: number;
}

/** What stands in for a regular expression. */
class MeteredRule {
  readonly #rule: RegExp;
  readonly #run: (rule: RegExp, source: string) => RegExpExecArray | null;

  constructor(rule: RegExp, run: (rule: RegExp, source: string) => RegExpExecArray | null) {
    this.#rule = rule;
    this.#run = run;
  }

  get source(): string {
    return this.#rule.source;
  }

  get lastIndex(): number {
    return this.#rule.lastIndex;
  }

  set lastIndex(at: number) {
    this.#rule.lastIndex = at;
  }

  exec(source: string): RegExpExecArray | null {
    return this.#run(this.#rule, source);
  }

  /** Single lines cost nothing. */
  test(source: string): boolean {
    return this.#rule.test(source);
  }
}

type Replacer = (...found: (string | undefined)[]) => string;

/** Marks what emphasis must not see: code up to its end, which it looks for in vain at each backtick that has none. */
class MeteredMask extends MeteredRule {
  readonly #rule: RegExp;
  readonly #meter: Meter;

  constructor(rule: RegExp, meter: Meter) {
    super(rule, (_, source) => rule.exec(source));
    this.#rule = rule;
    this.#meter = meter;
  }

  [Symbol.replace](source: string, replacer: Replacer): string {
    if (!source.includes('`')) return source.replace(this.#rule, replacer);
    // `replace` finds everything before it asks for the first replacement.
    let masked = '';
    let last = 0;
    this.#rule.lastIndex = 0;
    for (let found = this.#rule.exec(source); found; found = this.#rule.exec(source)) {
      if (found[1] === undefined && found[2] === undefined) this.#meter.charge(source.length - found.index);
      masked += source.slice(last, found.index) + replacer(...found);
      last = this.#rule.lastIndex;
    }
    return masked + source.slice(last);
  }
}

export function meteredRules(rules: Rules, meter: Meter): Rules {
  const metered = (rule: RegExp, run: (rule: RegExp, source: string) => RegExpExecArray | null): RegExp =>
    new MeteredRule(rule, run) as never;
  const { block, inline } = rules;

  /** Goes on from where it was. */
  function walking(rule: RegExp, source: string): RegExpExecArray | null {
    const from = rule.lastIndex;
    const found = rule.exec(source);
    meter.charge((found ? rule.lastIndex : source.length) - from + 8);
    return found;
  }

  /** Reads to the end if what it looks for is missing. */
  function toTheEnd(rule: RegExp, source: string): RegExpExecArray | null {
    const found = rule.exec(source);
    meter.charge(found ? found[0].length : source.length);
    return found;
  }

  return {
    ...rules,
    block: {
      ...block,
      lheading: metered(block.lheading, (rule, source) => findHeading(rule, source, meter)),
      table: metered(block.table, (rule, source) => findTable(rule, source, meter)),
    },
    inline: {
      ...inline,
      emStrongRDelimAst: metered(inline.emStrongRDelimAst, walking),
      emStrongRDelimUnd: metered(inline.emStrongRDelimUnd, walking),
      delRDelim: metered(inline.delRDelim, walking),
      code: metered(inline.code, toTheEnd),
      anyPunctuationOutsideCode: new MeteredMask(inline.anyPunctuationOutsideCode, meter) as never,
      tag: metered(inline.tag, (rule, source) => (/^<[!?]/.test(source) ? toTheEnd(rule, source) : rule.exec(source))),
      link: metered(inline.link, (rule, source) => {
        meter.charge(lookedAtByLink(source));
        return rule.exec(source);
      }),
      _backpedal: metered(inline._backpedal, (rule, source) => {
        meter.charge(source.length);
        return rule.exec(source);
      }),
      text: metered(inline.text, (rule, source) => {
        // Looks for the `@` of an address, as the rule of addresses did just now.
        MAIL_NAME.lastIndex = 0;
        MAIL_NAME.test(source);
        meter.charge(2 * MAIL_NAME.lastIndex);
        return rule.exec(source);
      }),
    },
  };
}

const MAIL_NAME = /[a-zA-Z0-9.!#$%&'*+/=?_`{|}~-]*/y;

const UNDERLINE = /\n {0,3}(?:=+|-+)[ \t]*(?:\n|$)/;
const BLANK = /\n[ \t]*\n/;

/** The rule reads on to a blank line, for each line of a list's item again; without an underline it finds nothing. */
function findHeading(rule: RegExp, source: string, meter: Meter): RegExpExecArray | null {
  if (meter.underline >= source.length) meter.underline = leftFrom(UNDERLINE, source, meter);
  if (meter.underline === 0) return null;
  if (meter.blank >= source.length) meter.blank = leftFrom(BLANK, source, meter);
  if (meter.blank > meter.underline) return null;
  meter.charge(source.length - meter.underline);
  return rule.exec(source);
}

function leftFrom(rule: RegExp, source: string, meter: Meter): number {
  const at = source.search(rule);
  meter.charge(at < 0 ? source.length : at);
  return at < 0 ? 0 : source.length - at;
}

const TABLE_HEAD = /^([^\n]*)\n {0,3}(?=[^\n]*-)[|: -]+(?:\n|$)/;
const TABLE_CELL_COST = 16;

/** A row has a cell for each column, also if it is an empty line with one stroke. */
function findTable(rule: RegExp, source: string, meter: Meter): RegExpExecArray | null {
  const head = TABLE_HEAD.exec(source);
  if (!head) return rule.exec(source);
  const found = rule.exec(source);
  if (found) meter.charge(TABLE_CELL_COST * head[1]!.split('|').length * found[0].split('\n').length);
  return found;
}

/** A link's text that is longer is rare enough to cost nothing. */
const LINK_TEXT_CHARS = 1000;
const DESTINATION = /[^ \t\n\x00-\x1f]*/y;
const TITLE = /[ \t\n]*(["'(])/y;

/** The rule reads the address as far as there is no space, and a title to its end, and then looks where the link ends. */
function lookedAtByLink(source: string): number {
  const at = source.slice(0, LINK_TEXT_CHARS).indexOf('](');
  if (at < 0) return 0;
  DESTINATION.lastIndex = at + 2;
  DESTINATION.test(source);
  const end = DESTINATION.lastIndex;
  TITLE.lastIndex = end;
  const quote = TITLE.exec(source)?.[1];
  if (quote === undefined) return end - at;
  const close = source.indexOf(quote === '(' ? ')' : quote, TITLE.lastIndex);
  return (close < 0 ? source.length : close) - at;
}
