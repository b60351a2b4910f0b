// Compiles the configuration's collections: prepares once everything that a write or a view needs from a schema, so
// that checking a document costs microseconds.
import { z } from 'zod';
import type { CollectionConfig, SiteConfig } from '../config/site-config.ts';
import type { Problem } from '../lib/errors.ts';
import { createBuilder } from './builder.ts';
import type { BlockSchema, CollectionSchema, SiteSchema } from './collection.ts';
import { columnOf } from './field-types.ts';
import { toFileSchema } from './file-schema.ts';
import { fillDefaults } from './fill-defaults.ts';
import { toLabel } from './label.ts';
import { ENOUGH_PROBLEMS } from './list-value.ts';
import { startPatternWork } from './patterns.ts';
import { collectMissing } from './required.ts';
import { collectTexts } from './texts.ts';
import { findUnknownKeys } from './unknown-keys.ts';
import { isOfFormat, valueProblems } from './value-problems.ts';
import { schemaVersion } from './version.ts';

export function compileCollection(config: CollectionConfig, site: SiteConfig): CollectionSchema {
  const label = config.label ?? toLabel(config.name);
  const fields = new Map(config.fields.map((field) => [field.name, field]));
  const blocks = new Map(site.blocks.map((block) => [block.name, block]));
  const draft = createBuilder('draft', site.blocks);
  const values = new Map(config.fields.map((field) => [field.name, draft.value(field)]));
  const published = createBuilder('published', site.blocks);
  return {
    ...toFileSchema(config),
    name: config.name,
    label,
    config,
    fields,
    jsonSchema: {
      ...published.jsonSchema(z.looseObject(published.shape(config.fields))),
      title: label,
      ...(config.description && { description: config.description }),
    },
    check: (data, keys) => checkValues(values, data, keys, () => true),
    checkTypes: (data, keys) => checkValues(values, data, keys, (issue, value) => !isOfFormat(issue, value)),
    checkRequired(data) {
      const problems: Problem[] = [];
      collectMissing(data, config.fields, blocks, 'data', problems);
      return problems;
    },
    unknownKeys: (data, beside) => findUnknownKeys(data, config.fields, { blocks, collection: config.name, beside }),
    withDefaults: (data) => fillDefaults(data, config.fields, blocks),
    texts(data) {
      const texts: string[] = [];
      collectTexts(data, config.fields, blocks, texts);
      return texts;
    },
    unique: config.fields.filter(({ unique }) => unique).map(({ name }) => name),
    locales: { all: config.locales ?? site.locales, default: site.defaultLocale },
    sortable: config.fields.filter((field) => columnOf(field) !== undefined).map((field) => field.name),
  };
}

function checkValues(
  values: ReadonlyMap<string, z.ZodType>,
  data: Record<string, unknown>,
  keys: Iterable<string>,
  binds: (issue: z.core.$ZodIssue, value: unknown) => boolean,
): Problem[] {
  const problems: Problem[] = [];
  startPatternWork();
  for (const key of keys) {
    if (problems.length >= ENOUGH_PROBLEMS) break;
    const schema = values.get(key);
    const value = Object.hasOwn(data, key) ? data[key] : undefined;
    if (!schema || value === undefined || value === null) continue;
    const issues = schema.safeParse(value).error?.issues ?? [];
    problems.push(
      ...valueProblems(
        issues.filter((issue) => binds(issue, value)),
        `data.${key}`,
      ),
    );
  }
  return problems;
}

export function compileSite(config: SiteConfig): SiteSchema {
  return {
    collections: new Map(
      config.collections.map((collection) => [collection.name, compileCollection(collection, config)]),
    ),
    blocks: new Map(compileBlocks(config).map((block) => [block.name, block])),
    baseUrl: config.build?.baseUrl,
    version: schemaVersion(config),
  };
}

function compileBlocks(config: SiteConfig): BlockSchema[] {
  const published = createBuilder('published', config.blocks);
  return config.blocks.map((block) => ({
    name: block.name,
    label: block.label ?? toLabel(block.name),
    config: block,
    jsonSchema: published.jsonSchema(published.block(block)),
  }));
}
