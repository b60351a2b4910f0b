// GET /api/schema, /api/schema/{collection} and /api/manifest.
import { z } from 'zod';
import type { SiteConfig } from '../config/site-config.ts';
import { sharedReads } from '../http/cross-origin.ts';
import { type Route, route } from '../http/route.ts';
import { notFound } from '../lib/errors.ts';
import type { SiteSchema } from './collection.ts';
import { toManifest } from './manifest.ts';

/** What these routes need from a request's site. */
export interface SchemaSite {
  config: SiteConfig;
  schema: SiteSchema;
}

const JsonSchema = z.record(z.string(), z.unknown());
const CollectionEntry = z.object({ name: z.string(), label: z.string(), jsonSchema: JsonSchema });

const SchemaList = z.object({
  collections: z.array(CollectionEntry.extend({ slug: z.string() })),
  blocks: z.array(
    z.object({ name: z.string(), label: z.string(), fields: z.array(z.unknown()), jsonSchema: JsonSchema }),
  ),
});

const Manifest = z.looseObject({
  storage: z.object({ type: z.literal('git') }),
  collections: z.array(JsonSchema),
  blocks: z.array(JsonSchema),
  build: JsonSchema,
});

/** Anyone who may read a site without credentials may see the schema of its documents. */
const ALLOW = {
  permission: 'content:read-published',
  anonymous: (site: SchemaSite) => site.config.api.publicRead,
} as const;

export function schemaRoutes(): Route<SchemaSite>[] {
  return [
    route<SchemaSite>({
      method: 'get',
      path: '/api/schema',
      summary: 'Every collection and block with its JSON Schema',
      tag: 'Schema',
      allow: ALLOW,
      cors: sharedReads,
      answers: { 200: { description: 'Collections and blocks', schema: SchemaList } },
      handle: ({ site }) => ({ body: toSchemaList(site.schema) }),
    }),
    route<SchemaSite>({
      method: 'get',
      path: '/api/schema/{collection}',
      summary: "One collection's JSON Schema",
      tag: 'Schema',
      allow: ALLOW,
      cors: sharedReads,
      answers: { 200: { description: 'The collection', schema: CollectionEntry } },
      handle({ site, params }) {
        const collection = site.schema.collections.get(params.collection ?? '');
        if (!collection) throw notFound(`collection "${params.collection}"`);
        return { body: { name: collection.name, label: collection.label, jsonSchema: collection.jsonSchema } };
      },
    }),
    route<SchemaSite>({
      method: 'get',
      path: '/api/manifest',
      summary: "The site's whole configuration, without secrets",
      tag: 'Schema',
      // Unlike the schema, it describes how the site is built; decisions.md requires credentials for it.
      allow: 'content:read-published',
      cors: sharedReads,
      answers: { 200: { description: 'The configuration', schema: Manifest } },
      handle: ({ site }) => ({ body: toManifest(site.config, site.schema) }),
    }),
  ];
}

function toSchemaList(schema: SiteSchema): z.output<typeof SchemaList> {
  return {
    collections: [...schema.collections.values()].map(({ name, label, config, jsonSchema }) => ({
      name,
      label,
      slug: config.slug ?? name,
      jsonSchema,
    })),
    blocks: [...schema.blocks.values()].map(({ name, label, config, jsonSchema }) => ({
      name,
      label,
      fields: config.fields,
      jsonSchema,
    })),
  };
}
