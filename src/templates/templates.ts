// Complete sites to start from: configuration, documents, media and a theme. Data, read from the package; a template is a
// folder here, and this file knows none of them by name.
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { notFound } from '../lib/errors.ts';

export interface SiteTemplate {
  /** The name of its folder; what `colophon init --template` takes. */
  name: string;
  title: string;
  /** One sentence. */
  description: string;
  /** Path of its picture below its folder. */
  image: string;
}

const FOLDER = import.meta.dirname;
/** Describes the template; everything else in the folder becomes part of a site. */
const ABOUT = 'template.json';
const CREDITS = 'CREDITS.md';

const About = z.strictObject({ title: z.string().min(1), description: z.string().min(1), image: z.string().min(1) });

/** Sorted by name. */
export function listTemplates(): SiteTemplate[] {
  const names = fs
    .readdirSync(FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  return names.sort().map((name) => ({ name, ...About.parse(JSON.parse(readText(name, ABOUT))) }));
}

/**
 * The files of a new site by their path in its folder: `content/cms.config.ts`, `content/posts/hello.json`.
 * @throws 404 with the names that exist
 */
export function readTemplate(name: string): Map<string, Buffer> {
  const known = listTemplates().map((template) => template.name);
  if (!known.includes(name)) throw notFound(`template "${name}" does not exist; choose one of ${known.join(', ')}`);
  const root = path.join(FOLDER, name);
  const files = new Map<string, Buffer>();
  for (const entry of fs.readdirSync(root, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const file = path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/');
    if (file === ABOUT) continue;
    files.set(file === CREDITS ? file : `content/${file}`, fs.readFileSync(path.join(root, file)));
  }
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

const IMAGE_TYPES: Record<string, string> = { '.webp': 'image/webp', '.svg': 'image/svg+xml' };

/** The picture of a template. @throws 404 if there is no such template */
export function readTemplateImage(name: string): { bytes: Buffer; type: string } {
  const template = listTemplates().find((one) => one.name === name);
  if (!template) throw notFound(`template "${name}"`);
  const file = path.join(FOLDER, name, template.image);
  return { bytes: fs.readFileSync(file), type: IMAGE_TYPES[path.extname(file)] ?? 'application/octet-stream' };
}

function readText(name: string, file: string): string {
  return fs.readFileSync(path.join(FOLDER, name, file), 'utf8');
}
