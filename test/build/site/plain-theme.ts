// A theme in TypeScript, small enough to see what a page depends on: the builder's tests use it in place of LiquidJS.
import { hash } from 'node:crypto';
import type { SiteTheme } from '../../../src/build/site/pages/site-theme.ts';

// biome-ignore lint/suspicious/noExplicitAny: templates have no types
type Any = any;

/** `files` are those of the theme: a layout's content is shown on every page that uses it. */
export function plainTheme(files: Record<string, string>): SiteTheme {
  const plain = (text: unknown): string =>
    String(text ?? '').replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
  const stamp = (file: string): string => (file in files ? hash('sha256', files[file]!).slice(0, 16) : '');
  return {
    stamp,
    names: Object.keys(files).sort(),
    assetUrl: (name) =>
      files[`assets/${name}`] === undefined ? undefined : `/assets/${stamp(`assets/${name}`)}-${name}`,
    files: Object.keys(files)
      .filter((file) => file.startsWith('assets/'))
      .map((file) => ({ file: `assets/${stamp(file)}-${file.slice(7)}`, bytes: Buffer.from(files[file]!) })),
    renderField: (field, value) => `<p>${plain(field.name)}: ${plain(JSON.stringify(value))}</p>`,
    render(layouts, scope: Any, context) {
      const layout = layouts.find((name) => `layouts/${name}` in files) ?? 'none';
      context.use(`layouts/${layout}`);
      const { page, document, pagination, site, collections, globals, tag } = scope;
      const link = (doc: Any): string => (doc ? `<a href="${doc.url ?? ''}">${plain(doc.title)}</a>` : '-');
      const links = (docs: Any[] = []): string => docs.map(link).join(', ');
      const lines = [files[`layouts/${layout}`] ?? '', `${page.kind} ${page.url} ${plain(page.title)} ${page.locale}`];
      lines.push(`css ${context.assetUrl('site.css') ?? ''}`);
      lines.push(`alternates ${page.alternates.map((one: Any) => `${one.locale} ${one.url}`).join(', ')}`);
      if (document) {
        const { data, previous, next, ancestors, children, translations, backlinks, tags, image } = document;
        lines.push(`text ${plain(data.body)} ${document.date} ${document.updated_at}`);
        lines.push(`around ${link(previous)} ${link(next)} up ${links(ancestors)} down ${links(children)}`);
        lines.push(`from ${links(backlinks)} in ${links(translations)} to ${link(data.friend)} ${links(data.friends)}`);
        lines.push(`tags ${tags.map((one: Any) => `<a href="${one.url ?? ''}">${plain(one.name)}</a>`).join(', ')}`);
        const picture = context.image(image, [100, 200]);
        lines.push(
          `picture ${picture ? `<img src="${picture.src}" alt="${plain(picture.alt)}" width="${picture.width}">` : ''}`,
        );
      }
      if (pagination) {
        lines.push(`list ${pagination.number}/${pagination.pages} of ${pagination.total}`);
        for (const item of pagination.items) lines.push(`${link(item)} ${item.date} ${plain(item.description)}`);
      }
      if (page.kind === 'home') {
        lines.push(`posts ${links(collections.posts?.slice(0, 3))}`);
        lines.push(`tags ${site.tags.map((one: Any) => `${plain(one.name)} ${one.count}`).join(', ')}`);
      }
      if (page.kind === '404')
        lines.push(`counts ${site.collections.map((one: Any) => `${one.name} ${one.count}`).join(', ')}`);
      lines.push(`settings ${plain(globals.settings?.title)} ${tag ? plain(tag.name) : ''}`);
      return `<!doctype html>\n${lines.join('\n')}\n`;
    },
  };
}
