// Markdown of a model as elements: read by marked's lexer, drawn by Preact. HTML in it is shown as the text that it is,
// images as links, and nothing is loaded.
import type { Token, Tokens } from 'marked';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { LinearLexer } from '../../lib/markdown/linear-lexer.ts';
import { t } from '../text/translate.ts';
import { isDrawable } from './drawable.ts';
import { toSafeLink } from './safe-link.ts';
import { useSteady } from './use-steady.ts';

export function DrawnMarkdown({ text }: { text: string }) {
  const shown = useSteady(text);
  return useMemo(
    () =>
      isDrawable(shown) ? (
        <div class="markdown">{toBlocks(new LinearLexer().lex(shown))}</div>
      ) : (
        <div class="markdown words">{shown}</div>
      ),
    [shown],
  );
}

function toBlocks(tokens: readonly Token[]): ComponentChildren[] {
  return tokens.map((token, key) => toBlock(token as Tokens.Generic, key));
}

function toBlock(token: Tokens.Generic, key: number): ComponentChildren {
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading':
      // The page has headings of its own.
      return (
        <p key={key} class="md-heading">
          <strong>{toInline(token.tokens)}</strong>
        </p>
      );
    case 'paragraph':
      return <p key={key}>{toInline(token.tokens)}</p>;
    case 'text':
      return <span key={key}>{token.tokens ? toInline(token.tokens) : token.text}</span>;
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll what is too wide
        <pre key={key} tabIndex={0}>
          <code>{token.text}</code>
        </pre>
      );
    case 'blockquote':
      return <blockquote key={key}>{toBlocks(token.tokens ?? [])}</blockquote>;
    case 'list':
      return toList(token as Tokens.List, key);
    case 'table':
      return toTable(token as Tokens.Table, key);
    case 'hr':
      return <hr key={key} />;
    default:
      return <p key={key}>{token.raw}</p>;
  }
}

function toList({ ordered, start, items }: Tokens.List, key: number): ComponentChildren {
  const content = items.map((item, at) => (
    <li key={at}>
      {item.task && <input type="checkbox" checked={item.checked === true} disabled aria-label={item.text} />}
      {toBlocks(item.tokens)}
    </li>
  ));
  return ordered ? (
    <ol key={key} start={start === '' ? 1 : start}>
      {content}
    </ol>
  ) : (
    <ul key={key}>{content}</ul>
  );
}

function toTable({ header, rows }: Tokens.Table, key: number): ComponentChildren {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll what is too wide
    <div class="md-table" key={key} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {header.map((cell, at) => (
              <th key={at} scope="col">
                {toInline(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) => (
                <td key={column}>{toInline(cell.tokens)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function toInline(tokens: readonly Token[] | undefined): ComponentChildren[] {
  return (tokens ?? []).map((token, key) => toInlinePart(token as Tokens.Generic, key));
}

function toInlinePart(token: Tokens.Generic, key: number): ComponentChildren {
  switch (token.type) {
    case 'strong':
      return <strong key={key}>{toInline(token.tokens)}</strong>;
    case 'em':
      return <em key={key}>{toInline(token.tokens)}</em>;
    case 'del':
      return <s key={key}>{toInline(token.tokens)}</s>;
    case 'codespan':
      return <code key={key}>{token.text}</code>;
    case 'br':
      return <br key={key} />;
    case 'link':
      return <Link key={key} address={String(token.href)} content={toInline(token.tokens)} />;
    case 'image':
      return <Link key={key} address={String(token.href)} content={t('ai.image', { alt: String(token.text) })} />;
    case 'escape':
      return token.text;
    case 'text':
      return token.tokens ? toInline(token.tokens) : token.text;
    default:
      return token.raw;
  }
}

function Link({ address, content }: { address: string; content: ComponentChildren }) {
  const link = toSafeLink(address);
  if (!link) return <span title={t('ai.removed')}>{content}</span>;
  if (link.kind === 'screen') return <a href={link.href}>{content}</a>;
  return (
    <a href={link.href} target="_blank" rel="noreferrer noopener">
      {content}
    </a>
  );
}
