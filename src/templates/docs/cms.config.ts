// Manual: the documentation of a tool. Pages are below one another (`parent`) and in an order (`position`); releases
// have notes of their own.
import { defineConfig } from 'colophon/config';

export default defineConfig({
  defaultLocale: 'en',
  locales: ['en'],

  collections: [
    {
      name: 'manual',
      label: 'Manual',
      description: 'Everything about Tern, from the first copy to the last flag.',
      kind: 'page',
      urlPrefix: '/manual',
      parentField: 'parent',
      fields: [
        { name: 'title', type: 'text', label: 'Title', required: true, maxLength: 80 },
        { name: 'summary', type: 'textarea', label: 'Summary', maxLength: 200 },
        { name: 'parent', type: 'relation', label: 'Below', collection: 'manual' },
        { name: 'position', type: 'number', label: 'Position', min: 0 },
        { name: 'since', type: 'text', label: 'Since version' },
        { name: 'body', type: 'richtext', label: 'Text' },
      ],
    },
    {
      name: 'releases',
      label: 'Releases',
      description: 'What changed, newest first.',
      kind: 'page',
      urlPrefix: '/releases',
      fields: [
        { name: 'title', type: 'text', label: 'Version', required: true },
        { name: 'date', type: 'date', label: 'Date' },
        { name: 'summary', type: 'textarea', label: 'In one sentence', maxLength: 200 },
        { name: 'breaking', type: 'boolean', label: 'Needs attention' },
        { name: 'body', type: 'richtext', label: 'Notes' },
      ],
    },
    {
      name: 'product',
      label: 'Product',
      description: 'The front page.',
      kind: 'global',
      fields: [
        { name: 'title', type: 'text', label: 'Title', required: true },
        { name: 'text', type: 'textarea', label: 'Text' },
        { name: 'command', type: 'text', label: 'Command to install' },
        { name: 'picture', type: 'image', label: 'Picture' },
        { name: 'drawing', type: 'boolean', label: 'A drawing, whose colours are turned round on dark screens' },
        {
          name: 'tasks',
          type: 'array',
          label: 'Tasks',
          fields: [
            { name: 'title', type: 'text', label: 'Title', required: true },
            { name: 'text', type: 'text', label: 'Text' },
            { name: 'path', type: 'text', label: 'Path', required: true },
          ],
        },
      ],
    },
  ],

  build: {
    outDir: 'dist',
    siteName: 'Tern',
    rss: { title: 'Tern releases', collections: ['releases'], limit: 20 },
  },
});
