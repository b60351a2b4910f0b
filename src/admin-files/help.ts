// The guide for editors (`content/help`) as data that a screen draws. Markdown that the screen has no form for is an
// error, so that no page loses a part in silence.
import fs from 'node:fs';
import path from 'node:path';
import { lexer, type Token, type Tokens } from 'marked';
import { parse } from 'yaml';
import type { HelpBlock, HelpPage, HelpText } from '../admin/screens/help/help-page.ts';

const FRONT_MATTER = /^---\n([\s\S]*?)\n---\n/;

/** The pages in their order. @throws Error that names the file and what is wrong with it */
export function readHelp(folder: string): HelpPage[] {
  const names = fs.readdirSync(folder).filter((name) => name.endsWith('.md'));
  const pages = names.map((name) => readPage(name, fs.readFileSync(path.join(folder, name), 'utf8')));
  return pages.sort((a, b) => a.order - b.order).map(({ order: _, ...page }) => page);
}

export function readPage(name: string, file: string): HelpPage & { order: number } {
  try {
    const [front = '', inside = ''] = FRONT_MATTER.exec(file) ?? [];
    const { title, summary, order } = parse(inside) ?? {};
    if (!title || !summary || !order) throw new Error('title, summary and order are needed');
    const blocks = lexer(file.slice(front.length)).flatMap(toBlocks);
    return { slug: path.parse(name).name, title, summary, order, blocks };
  } catch (error) {
    throw new Error(`content/help/${name}: ${(error as Error).message}`, { cause: error });
  }
}

function toBlocks(token: Token): HelpBlock[] {
  if (token.type === 'space') return [];
  if (token.type === 'paragraph') return [{ kind: 'paragraph', content: toTexts(token.tokens) }];
  if (token.type === 'heading' && token.depth === 2) return [{ kind: 'heading', text: token.text }];
  if (token.type === 'list') {
    const { ordered, items } = token as Tokens.List;
    return [{ kind: 'list', isOrdered: ordered, items: items.map(toItem) }];
  }
  throw new Error(`a page of the help has no ${token.type}: ${token.raw.trim()}`);
}

function toItem({ tokens, raw }: Tokens.ListItem): HelpText[] {
  const [only, ...more] = tokens;
  if (only?.type !== 'text' || more.length > 0) throw new Error(`an item is one text: ${raw.trim()}`);
  return toTexts(only.tokens);
}

function toTexts(tokens: readonly Token[] = []): HelpText[] {
  return tokens.map((token) => {
    if (token.type === 'text' || token.type === 'escape') return token.text.replaceAll('\n', ' ');
    if (token.type === 'strong' || token.type === 'em') return { kind: token.type, content: toTexts(token.tokens) };
    if (token.type === 'codespan') return { kind: 'key', text: token.text };
    const [, page] = token.type === 'link' ? (/^([a-z-]+)\.md$/.exec(token.href) ?? []) : [];
    if (page !== undefined) return { kind: 'link', page, content: toTexts((token as Tokens.Link).tokens) };
    throw new Error(`a page of the help has no ${token.type}: ${token.raw.trim()}`);
  });
}
