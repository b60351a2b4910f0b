// What must be the same in a Markdown text and its translation: its blocks, code, addresses and tags, in order; inside
// one paragraph in any order, because languages have different ones.
import type { Token, Tokens } from 'marked';
import { tagsOf } from './html.ts';

export function skeletonOf(tokens: readonly Token[]): string[] {
  return tokens.flatMap(blockSkeleton);
}

function blockSkeleton(token: Token): string[] {
  switch (token.type) {
    case 'space':
      return [];
    case 'heading':
      return [`heading ${(token as Tokens.Heading).depth}`, ...inlineSkeleton(token)];
    case 'paragraph':
    case 'text':
      return ['text', ...inlineSkeleton(token)];
    case 'list': {
      const { ordered, start, items } = token as Tokens.List;
      return [`list ${ordered} ${start}`, ...items.flatMap(itemSkeleton)];
    }
    case 'blockquote':
      return ['quote', ...skeletonOf((token as Tokens.Blockquote).tokens), 'end'];
    case 'table': {
      const { align, header, rows } = token as Tokens.Table;
      const cells = [header, ...rows].flat();
      return [`table ${align} ${rows.length}`, ...cells.flatMap((cell) => ['cell', ...inlineSkeleton(cell)])];
    }
    case 'code':
      return [`code ${(token as Tokens.Code).lang} ${(token as Tokens.Code).text}`];
    case 'html':
      return [`html ${tagsOf(token.raw)}`];
    default:
      return [`${token.type} ${token.raw.trim()}`];
  }
}

function itemSkeleton({ task, checked, tokens }: Tokens.ListItem): string[] {
  return [`item ${task} ${checked}`, ...skeletonOf(tokens)];
}

function inlineSkeleton(token: { tokens?: Token[] | undefined }): string[] {
  return collectInline(token.tokens ?? []).sort();
}

function collectInline(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token): string[] => {
    switch (token.type) {
      case 'text':
        return collectInline((token as Tokens.Text).tokens ?? []);
      case 'escape':
        return [];
      case 'strong':
      case 'em':
      case 'del':
        return [token.type, ...collectInline((token as Tokens.Strong).tokens)];
      case 'link': {
        const { href, title, tokens: inner } = token as Tokens.Link;
        return [`link ${href} ${title}`, ...collectInline(inner)];
      }
      case 'image': {
        const { href, title } = token as Tokens.Image;
        return [`image ${href} ${title}`];
      }
      default:
        return [`${token.type} ${token.raw}`];
    }
  });
}
