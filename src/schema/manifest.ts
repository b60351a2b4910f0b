// The manifest: the whole configuration as data, for tools that work with a site. It has no secrets and nothing that
// only the operator needs: no recipients, no webhook addresses, no names of variables, no values of `build.env`.
import type { FormConfig } from '../config/form-config.ts';
import type { BuildConfig, SiteConfig } from '../config/site-config.ts';
import type { SiteSchema } from './collection.ts';

export function toManifest(config: SiteConfig, schema: SiteSchema): Record<string, unknown> {
  return {
    storage: { type: 'git' },
    schemaVersion: schema.version,
    collections: config.collections.map((collection) => {
      const { label, jsonSchema } = schema.collections.get(collection.name)!;
      return { ...collection, label, slug: collection.slug ?? collection.name, jsonSchema };
    }),
    blocks: config.blocks.map((block) => {
      const { label, jsonSchema } = schema.blocks.get(block.name)!;
      return { ...block, label, jsonSchema };
    }),
    defaultLocale: config.defaultLocale ?? null,
    locales: config.locales,
    forms: config.forms.map(toPublicForm),
    build: toPublicBuild(config.build),
    api: config.api,
    ...(config.ai && { ai: { provider: config.ai.provider, model: config.ai.model } }),
    ...(config.remote && {
      remote: { url: config.remote.url, branch: config.remote.branch, push: config.remote.push },
    }),
  };
}

function toPublicForm(form: FormConfig): Record<string, unknown> {
  const { notifications: _, spam: __, ...rest } = form;
  return rest;
}

function toPublicBuild(build: BuildConfig | undefined): Record<string, unknown> {
  if (!build) return {};
  const { env, ...rest } = build;
  return { ...rest, ...(env && { env: Object.keys(env) }) };
}
