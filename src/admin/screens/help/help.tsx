// The guide for editors: its contents, and one page of it.
import pages from 'colophon:help';
import { useRoute } from 'preact-iso/router';
import { NotFound, Screen } from '../../shell/screen.tsx';
import { t } from '../../text/translate.ts';
import type { HelpBlock, HelpPage, HelpText } from './help-page.ts';

export default function Help() {
  const { page: slug } = useRoute().params;
  if (!slug) return <Contents />;
  const at = pages.findIndex((page) => page.slug === slug);
  const page = pages[at];
  return page ? <Page key={slug} page={page} previous={pages[at - 1]} next={pages[at + 1]} /> : <NotFound />;
}

function Contents() {
  return (
    <Screen heading={t('help.title')}>
      <div class="narrow">
        <p>{t('help.text')}</p>
        <ul class="rows" aria-label={t('help.pages')}>
          {pages.map(({ slug, title, summary }) => (
            <li key={slug}>
              <a class="row-title" href={toPath(slug)}>
                {title}
              </a>
              <span class="help">{summary}</span>
            </li>
          ))}
        </ul>
      </div>
    </Screen>
  );
}

interface PageProps {
  page: HelpPage;
  previous: HelpPage | undefined;
  next: HelpPage | undefined;
}

function Page({ page: { title, summary, blocks }, previous, next }: PageProps) {
  return (
    <Screen heading={title}>
      <article class="narrow guide">
        <p class="help">{summary}</p>
        {blocks.map(toElement)}
        <nav class="around" aria-label={t('help.around')}>
          <a href="/admin/help">{t('help.title')}</a>
          {previous && <a href={toPath(previous.slug)}>{t('help.previous', { title: previous.title })}</a>}
          {next && <a href={toPath(next.slug)}>{t('help.next', { title: next.title })}</a>}
        </nav>
      </article>
    </Screen>
  );
}

function toPath(slug: string): string {
  return `/admin/help/${slug}`;
}

function toElement(block: HelpBlock, key: number) {
  if (block.kind === 'heading') return <h2 key={key}>{block.text}</h2>;
  if (block.kind === 'paragraph') return <p key={key}>{block.content.map(toInline)}</p>;
  const items = block.items.map((item, at) => <li key={at}>{item.map(toInline)}</li>);
  return block.isOrdered ? <ol key={key}>{items}</ol> : <ul key={key}>{items}</ul>;
}

function toInline(text: HelpText, key: number) {
  if (typeof text === 'string') return text;
  if (text.kind === 'key') return <kbd key={key}>{text.text}</kbd>;
  const content = text.content.map(toInline);
  if (text.kind === 'link') {
    return (
      <a key={key} href={toPath(text.page)}>
        {content}
      </a>
    );
  }
  return text.kind === 'strong' ? <strong key={key}>{content}</strong> : <em key={key}>{content}</em>;
}
