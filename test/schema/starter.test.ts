// The starter site is the first thing that a new user sees: each of its documents must be valid and in canonical form,
// and together they show every field type.
import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { loadConfig } from '../../src/config/load.ts';
import { FIELD_TYPES, type FieldConfig } from '../../src/config/site-config.ts';
import { layoutFor, pathOf } from '../../src/content/files/paths.ts';
import { parseFile, toFile } from '../../src/content/stored.ts';
import { isSlug } from '../../src/lib/text/slug.ts';
import { compileSite } from '../../src/schema/compile.ts';

const CONTENT = new URL('../../content/', import.meta.url);
/** The guides, with what each page says. Their files are written by hand. */
const GUIDES: Readonly<Record<string, readonly string[]>> = {
  guide: ['title', 'order', 'body'],
  help: ['title', 'summary', 'order', 'body'],
};
const ORIGIN = { id: 'Id0000000000', createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' };
const KEYS = [
  'id',
  'slug',
  'collection',
  'status',
  'locale',
  'translationOf',
  'translationGroup',
  'publishAt',
  'unpublishAt',
  'createdAt',
  'updatedAt',
  'data',
];

async function readStarter() {
  const config = await loadConfig(new URL('cms.config.ts', CONTENT).pathname);
  const schema = compileSite(config);
  const documents = config.collections.flatMap(({ name }) =>
    readdirSync(new URL(`${name}/`, CONTENT)).map((file) => {
      const bytes = readFileSync(new URL(`${name}/${file}`, CONTENT));
      const document = parseFile(bytes, `content/${name}/${file}`, {
        schema: schema.collections.get(name),
        ...(Object.hasOwn(GUIDES, name) && { originOf: () => ORIGIN }),
      });
      assert.ok(typeof document === 'object', `${name}/${file}: ${document}`);
      return { place: `${name}/${file}`, text: String(bytes), document };
    }),
  );
  return { config, schema, documents };
}

test('every document is valid as published, according to an independent validator too', async () => {
  const { schema, documents } = await readStarter();
  for (const { place, document } of documents) {
    const collection = schema.collections.get(document.collection)!;
    const problems = [
      ...collection.check(document.data, Object.keys(document.data)),
      ...collection.checkRequired(document.data),
    ];
    assert.equal(problems, [], place);
    assert.ok(new Ajv2020().validate(collection.jsonSchema, document.data), place);
    const unknown = Object.keys(document.data).filter((key) => !collection.fields.has(key));
    assert.equal(unknown, [], place);
  }
});

test('the guides are published, and say their title, place and text only', async () => {
  const { documents } = await readStarter();
  for (const [name, keys] of Object.entries(GUIDES)) {
    const guide = documents.filter(({ document }) => document.collection === name);
    assert.ok(guide.length >= 10);
    for (const { place, document } of guide) {
      assert.is(document.status, 'published', place);
      assert.equal(Object.keys(document.data), keys, place);
      assert.is(document.id, ORIGIN.id, place);
    }
  }
});

test('every document that the service wrote is stored in canonical form', async () => {
  const { schema, documents: all } = await readStarter();
  const documents = all.filter(({ document }) => !Object.hasOwn(GUIDES, document.collection));
  for (const { place, text, document } of documents) {
    assert.equal(
      Object.keys(document),
      KEYS.filter((key) => document[key as keyof typeof document] !== undefined),
      place,
    );
    const collection = schema.collections.get(document.collection)!;
    const layout = layoutFor(collection.config);
    assert.is(collection.ordered(document.data), document.data, place);
    assert.is(text, String(toFile(document, layout, collection)), place);
    assert.is(pathOf(document, layout), `content/${place}`, place);
    assert.ok(isSlug(document.slug), place);
    assert.match(document.id, /^(?=.*[A-Z])[0-9A-Za-z]{12}$/, place);
    for (const at of [document.createdAt, document.updatedAt]) assert.is(new Date(at).toISOString(), at, place);
    assert.ok(document.updatedAt >= document.createdAt, place);
  }
  assert.is(new Set(documents.map(({ document }) => document.id)).size, documents.length);
});

test('relations and translations point to existing documents', async () => {
  const { config, documents } = await readStarter();
  const bySlug = new Map(documents.map(({ document }) => [`${document.collection}/${document.slug}`, document]));
  const translations = [];
  for (const { place, document } of documents) {
    const { fields } = config.collections.find(({ name }) => name === document.collection)!;
    for (const field of fields.filter(({ type }) => type === 'relation')) {
      for (const slug of [document.data[field.name] ?? []].flat()) {
        assert.ok(bySlug.has(`${field.collection}/${slug}`), `${place}: ${field.name} ${slug}`);
      }
    }
    if (!Object.hasOwn(GUIDES, document.collection)) assert.ok(config.locales.includes(document.locale!), place);
    if (document.translationOf === undefined) continue;
    const source = bySlug.get(`${document.collection}/${document.translationOf}`);
    assert.is(source?.translationGroup, document.translationGroup, place);
    assert.is.not(source?.locale, document.locale, place);
    translations.push(document.locale);
  }
  assert.ok(translations.length > 1);
});

test('every field type is in the configuration and has a value in some document', async () => {
  const { config, documents } = await readStarter();
  const all = (fields: readonly FieldConfig[]): FieldConfig[] =>
    fields.flatMap((field) => [field, ...all(field.fields ?? [])]);
  const configured = all([...config.collections, ...config.blocks].flatMap(({ fields }) => fields));
  assert.equal([...new Set(configured.map(({ type }) => type))].sort(), [...FIELD_TYPES].sort());
  const shown = new Set<string>();
  for (const { document } of documents) {
    const { fields } = config.collections.find(({ name }) => name === document.collection)!;
    for (const { name, type } of fields) if (document.data[name] != null) shown.add(type);
  }
  assert.equal([...shown].sort(), [...FIELD_TYPES].sort());
  assert.ok(config.forms.length > 0 && config.blocks.length > 0);
});

test('the configuration needs only the package itself', () => {
  const text = readFileSync(new URL('cms.config.ts', CONTENT), 'utf8');
  const imports = [...text.matchAll(/^import .* from '(.*)';$/gm)].map((match) => match[1]);
  assert.equal(imports, ['colophon/config']);
});

test('it shows the hints that a configuration gives to editors', async () => {
  const { config } = await readStarter();
  const hints = new Set(
    config.collections
      .flatMap(({ ui, fields }) => [ui, ...fields.map((field) => field.ui)])
      .flatMap((ui) => Object.keys(ui ?? {})),
  );
  for (const hint of ['help', 'width', 'tab', 'showIf', 'titleField', 'columns']) assert.ok(hints.has(hint), hint);
});

test.run();
