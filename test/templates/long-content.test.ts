// What people put into a template, and its author did not: words without an end, titles of two hundred characters, wide
// tables, tall and see-through pictures, documents that have nothing but a title, and no documents at all.
import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { loadConfig } from '../../src/config/load.ts';
import type { BlockConfig, CollectionConfig, FieldConfig } from '../../src/config/site-config.ts';
import { hasPages } from '../../src/schema/address.ts';
import { listTemplates } from '../../src/templates/templates.ts';
import { findViolations, openBrowser } from '../support/browser.ts';
import { assertNothingMoves, assertNotSideways } from './template-looks.ts';
import { assertLinks, readPages } from './template-pages.ts';
import { buildTemplate } from './template-site.ts';

const WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
const TITLE = `${WORD} und ${WORD.toLowerCase()} ${WORD}`.slice(0, 200);
const SENTENCE = `Die Kraftfahrzeughaftpflichtversicherung und die ${WORD} stehen in keinem Zusammenhang. `;
const BODY = `${SENTENCE}[${WORD}](https://example.com/${'segment/'.repeat(20)}) \`${'x'.repeat(120)}\`

## ${WORD}

> ${SENTENCE}

- one
  - ${SENTENCE}
- [x] done

| ${'Column | '.repeat(8)}
| ${'--- | '.repeat(8)}
| ${WORD} | ${'words of a cell | '.repeat(7)}

\`\`\`js
const line = call(${'argument, '.repeat(20)});
\`\`\`

![Tall](/uploads/long/tall.png) ![Wide](/uploads/long/wide.png)

Text with a note[^1].

[^1]: ${SENTENCE}
`;
const PICTURES = ['tall', 'wide'].map((name) => `/uploads/long/${name}.png`);

function cut(text: string, { maxLength }: FieldConfig): string {
  return text.slice(0, maxLength);
}

type Fields = Record<string, unknown>;

const optionOf = ({ options = [] }: FieldConfig): unknown => {
  const last = options.at(-1);
  return typeof last === 'object' ? last.value : last;
};

/** As much as a field takes; undefined for what other documents would have to be there for. */
function fill(field: FieldConfig, blocks: readonly BlockConfig[]): unknown {
  const inner = (): Fields => fillAll(field.fields ?? [], blocks);
  switch (field.type) {
    case 'text':
      return cut(TITLE, field);
    case 'textarea':
      return cut(SENTENCE.repeat(3), field);
    case 'richtext':
      return BODY;
    case 'number':
      return Math.min(field.max ?? Infinity, 12_345_678);
    case 'date':
      return '2026-10-31';
    case 'select':
      return field.multiple ? [optionOf(field)] : optionOf(field);
    case 'image':
      return PICTURES[0];
    case 'image-gallery':
      return PICTURES.map((url) => ({ url, alt: SENTENCE }));
    case 'tags':
      return [WORD, 'short', 'two words'];
    case 'array':
      return field.fields ? [inner(), inner(), inner()] : [SENTENCE, WORD];
    case 'object':
      return inner();
    case 'blocks':
      return blocks.map(({ name, fields }) => ({ _block: name, ...fillAll(fields, blocks) }));
    default:
      return undefined;
  }
}

function fillAll(fields: readonly FieldConfig[], blocks: readonly BlockConfig[]): Fields {
  return Object.fromEntries(fields.map((field) => [field.name, fill(field, blocks)]));
}

function bare({ fields }: CollectionConfig): Fields {
  const needed = fields.filter(({ required }) => required).map((field) => [field.name, fill(field, [])]);
  return { ...Object.fromEntries(needed), [fields[0]!.name]: 'Nothing but a title' };
}

const readConfig = (name: string) =>
  loadConfig(new URL(`../../src/templates/${name}/cms.config.ts`, import.meta.url).pathname);

async function addDocuments(content: string, name: string): Promise<void> {
  fs.mkdirSync(path.join(content, 'media/long'), { recursive: true });
  const blank = { channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0.5 } } as const;
  await sharp({ create: { width: 400, height: 1600, ...blank } }).toFile(path.join(content, 'media/long/tall.png'));
  await sharp({ create: { width: 1600, height: 200, ...blank } }).toFile(path.join(content, 'media/long/wide.png'));
  const { collections, blocks } = await readConfig(name);
  for (const collection of collections) {
    if (collection.kind === 'global') continue;
    const documents = { long: fillAll(collection.fields, blocks ?? []), bare: bare(collection) };
    for (const [slug, data] of Object.entries(documents)) {
      const document = { status: 'published', createdAt: '2026-11-01T00:00:00.000Z', data };
      fs.writeFileSync(path.join(content, collection.name, `${slug}.json`), JSON.stringify(document));
    }
  }
}

const wanted = process.env.TEMPLATE;
const names = listTemplates()
  .map(({ name }) => name)
  .filter((name) => wanted === undefined || name === wanted);

for (const name of names) {
  test(`template ${name}: long words, big pictures and documents without anything keep its pages in shape`, async () => {
    await using site = await buildTemplate(name, (content) => addDocuments(content, name));
    await using browser = await openBrowser();
    const pages = site.files.filter((file) => /(?:^|\/)(?:long|bare)\/index\.html$/.test(file));
    assert.is(
      pages.length,
      2 * (await readConfig(name)).collections.filter(hasPages).length,
      'documents were left out',
    );
    const lists = pages.map((file) => path.join(path.dirname(file), '../index.html'));
    for (const width of [320, 768, 1440]) {
      const colorScheme = width === 768 ? 'dark' : 'light';
      const { page, complaints } = await browser.open({ colorScheme, viewport: { width, height: 800 } });
      for (const file of new Set(['index.html', ...lists, ...pages])) {
        await page.goto(`${site.url}/${file.replace(/index\.html$/, '')}`, { waitUntil: 'load' });
        await assertNothingMoves(page, file);
        await assertNotSideways(page, file);
        if (width === 768) assert.equal(await findViolations(page), [], file);
      }
      assert.equal(complaints, []);
      await page.close();
    }
  });
}

/** The documents that a site has one of stay, with nothing but their titles. */
async function removeDocuments(content: string, name: string): Promise<void> {
  const { collections } = await readConfig(name);
  for (const collection of collections) {
    const folder = path.join(content, collection.name);
    for (const file of fs.readdirSync(folder)) {
      const document = JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8'));
      if (collection.kind !== 'global') fs.rmSync(path.join(folder, file));
      else {
        const needed = collection.fields.filter(({ required }) => required).map((field) => field.name);
        document.data = Object.fromEntries(needed.map((key) => [key, document.data[key]]));
        fs.writeFileSync(path.join(folder, file), JSON.stringify(document));
      }
    }
  }
}

for (const name of names) {
  test(`template ${name}: a site without documents has pages that say so, and no link that leads nowhere`, async () => {
    await using site = await buildTemplate(name, (content) => removeDocuments(content, name));
    const pages = readPages(site);
    assertLinks(site, pages);
    await using browser = await openBrowser();
    for (const width of [320, 1440]) {
      const { page, complaints } = await browser.open({
        ...{ colorScheme: width === 320 ? 'dark' : 'light', viewport: { width, height: 800 } },
      });
      for (const { file } of pages) {
        await page.goto(`${site.url}/${file.replace(/index\.html$/, '')}`, { waitUntil: 'load' });
        await assertNothingMoves(page, file);
        await assertNotSideways(page, file);
        assert.equal(await findViolations(page), [], file);
      }
      assert.equal(complaints, []);
      await page.close();
    }
  });
}

test.run();
