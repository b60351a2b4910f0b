// The files of a new site, by their path in its folder. The documents beside the configuration become the first commit.

export const CONFIG_FILE = 'content/cms.config.ts';

const CONFIG = `import { defineConfig } from 'colophon/config';

export default defineConfig({
  collections: [
    {
      name: 'pages',
      label: 'Pages',
      kind: 'page',
      urlPrefix: '/',
      fields: [
        { name: 'title', type: 'text', required: true, maxLength: 120 },
        { name: 'body', type: 'richtext' },
      ],
    },
    {
      name: 'posts',
      label: 'Posts',
      kind: 'page',
      urlPrefix: '/posts',
      fields: [
        { name: 'title', type: 'text', required: true, maxLength: 120 },
        { name: 'date', type: 'date' },
        { name: 'summary', type: 'textarea', maxLength: 300 },
        { name: 'body', type: 'richtext' },
        { name: 'tags', type: 'tags' },
      ],
    },
  ],
});
`;

const NPM_SETTINGS = `# An npm that runs on a Node older than 22 warns of each package that needs a newer one. The site runs on a newer one:
# it comes with Colophon as the package "node". Without the next line npm shows all of its warnings again.
loglevel=error
`;

/** Only for a folder that is not yet someone's project. */
export function npmSettings(): Record<string, string> {
  return { '.npmrc': NPM_SETTINGS };
}

export function projectFiles(): Record<string, string> {
  return { [CONFIG_FILE]: CONFIG, '.gitignore': '.data/\nnode_modules/\ndist/\n' };
}

/** `colophon` is the version to depend on, or `file:` and a path. */
export function packageFile(folderName: string, colophon: string): Record<string, string> {
  const manifest = {
    name: toPackageName(folderName),
    private: true,
    type: 'module',
    scripts: { start: 'colophon start' },
    dependencies: { colophon },
    // The package `node` brings the Node that the service runs on; npm runs its install script if it is named here.
    allowScripts: { node: true },
  };
  return { 'package.json': `${JSON.stringify(manifest, null, 2)}\n` };
}

/** npm accepts lower-case letters, digits, `-`, `_` and `.`; and a package cannot depend on one with its own name. */
function toPackageName(folderName: string): string {
  const name = folderName
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return name === '' || name === 'colophon' || name === 'node' || name.length > 200 ? 'site' : name;
}

/** Stored documents, as the content repository has them. */
export function starterDocuments(now: Date): Record<string, string> {
  const at = now.toISOString();
  const toFile = (id: string, slug: string, collection: string, data: object) =>
    `${JSON.stringify({ id, slug, collection, status: 'published', createdAt: at, updatedAt: at, data }, null, 2)}\n`;
  return {
    'content/pages/about.json': toFile('StarterAbout', 'about', 'pages', {
      title: 'About',
      body: 'Say here who writes this site, and why.',
    }),
    'content/posts/hello-world.json': toFile('StarterHello', 'hello-world', 'posts', {
      title: 'Hello, world',
      date: at.slice(0, 10),
      summary: 'The first post of a new site.',
      body: 'This post is a file in a git repository, and every change to it is a commit.',
      tags: ['welcome'],
    }),
  };
}
