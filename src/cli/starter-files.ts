// The files of a new site, by their path in its folder. The documents beside the configuration become the first commit.

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

/** The documents are stored documents, as the content repository has them. */
export function starterFiles(now: Date): Record<string, string> {
  const at = now.toISOString();
  const toFile = (id: string, slug: string, collection: string, data: object) =>
    `${JSON.stringify({ id, slug, collection, status: 'published', createdAt: at, updatedAt: at, data }, null, 2)}\n`;
  return {
    'content/cms.config.ts': CONFIG,
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
    '.gitignore': '.data/\nnode_modules/\n',
  };
}
