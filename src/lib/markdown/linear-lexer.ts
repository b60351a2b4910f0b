// marked's lexer with a bound: reading a text takes a time that grows with its length, whatever is in it. A paragraph that
// costs more than any text of people does is read as the words that it is, and so is a text whose blocks do.
import { Lexer, type MarkedOptions, type Token, type TokensList } from 'marked';
import { type Meter, meteredRules } from './metered-rules.ts';

/** What a text costs is counted in characters that a rule looks at. No text of the Rust blog needs a tenth of this. */
const INLINE_COST = 128;
const BLOCK_COST = 256;
/** Short texts may be as odd as they like. */
const FREE_COST = 20_000;
/** Lists and quotes in one another; deeper, only the words are read. */
const MAX_DEPTH = 64;
/** From here on it matters that marked copies an item for each line that belongs to it without being indented. */
const LONG_CHARS = 20_000;
const COPIED_AT_ONCE = 64;
const LAZY_LINES =
  /^ {0,3}(?:[*+-]|\d{1,9}[.)])[^\n]*\n(?:(?! {0,3}(?:[*+-]|\d{1,9}[.)])[ \t])[ \t]*[^\s][^\n]*(?:\n|$))+/gm;

class TooCostly extends Error {}

export class LinearLexer extends Lexer implements Meter {
  /** How many parts of the text were not read, and stand in the tokens as they are written. */
  unread = 0;
  /** What rules remember while they go through one source. */
  underline = Number.POSITIVE_INFINITY;
  blank = Number.POSITIVE_INFINITY;
  #left = 0;
  #depth = 0;
  #nesting = 0;

  constructor(options: MarkedOptions = { gfm: true }) {
    super({ ...options, tokenizer: null });
    const tokenizer = this['tokenizer'];
    tokenizer.rules = meteredRules(tokenizer.rules, this);
  }

  /** @throws TooCostly, which `lex` and the outermost paragraph catch */
  charge(cost: number): void {
    this.#left -= cost;
    if (this.#left < 0) throw new TooCostly('the text costs too much to read');
  }

  override lex(source: string): TokensList {
    this.#left = BLOCK_COST * source.length + FREE_COST;
    try {
      return super.lex(source);
    } catch (error) {
      if (!(error instanceof TooCostly)) throw error;
      this.unread++;
      this.inlineQueue = [];
      this.tokens.length = 0;
      this.tokens.push(toParagraph(source.replace(/\r\n?/g, '\n')));
      return this.tokens;
    }
  }

  override blockTokens(source: string, tokens?: Token[], lastParagraphClipped?: boolean): Token[];
  override blockTokens(source: string, tokens?: TokensList, lastParagraphClipped?: boolean): TokensList;
  override blockTokens(source: string, tokens: Token[] = [], isClipped = false): Token[] {
    this.charge(4 * source.length + 64);
    if (this.#depth >= MAX_DEPTH) {
      this.unread++;
      if (source.trim() !== '') tokens.push(toParagraph(source));
      this.state.top = true;
      return tokens;
    }
    if (source.length > LONG_CHARS) for (const [lines] of source.matchAll(LAZY_LINES)) this.charge(copiedFor(lines));
    const { underline, blank } = this;
    this.underline = this.blank = Number.POSITIVE_INFINITY;
    this.#depth++;
    try {
      return super.blockTokens(source, tokens, isClipped);
    } finally {
      this.#depth--;
      Object.assign(this, { underline, blank });
    }
  }

  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    if (this.#nesting === 0) return this.#readParagraph(source, tokens);
    this.charge(2 * source.length + 32);
    this.#nesting++;
    try {
      return super.inlineTokens(source, tokens);
    } finally {
      this.#nesting--;
    }
  }

  /** Each has what its own length allows, so that the others around it are read. */
  #readParagraph(source: string, tokens: Token[]): Token[] {
    const left = this.#left;
    const state = { ...this.state };
    // The box of a task stands there already.
    const before = tokens.length;
    this.#left = INLINE_COST * source.length + FREE_COST;
    this.#nesting = 1;
    try {
      return super.inlineTokens(source, tokens);
    } catch (error) {
      if (!(error instanceof TooCostly)) throw error;
      this.unread++;
      Object.assign(this.state, state);
      tokens.splice(before, Number.POSITIVE_INFINITY, toText(source));
      return tokens;
    } finally {
      this.#nesting = 0;
      this.#left = left;
    }
  }
}

function toText(text: string): Token {
  return { type: 'text', raw: text, text, escaped: false };
}

function toParagraph(text: string): Token {
  return { type: 'paragraph', raw: text, text, tokens: [toText(text)] };
}

function copiedFor(lines: string): number {
  let count = 0;
  for (let at = lines.indexOf('\n'); at >= 0; at = lines.indexOf('\n', at + 1)) count++;
  return (count * lines.length) / COPIED_AT_ONCE;
}
