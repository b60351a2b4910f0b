// Offcut: a magazine about materials. Articles in sections, by contributors with pages of their own; the front page
// shows the articles that the document `front` names.
import { defineConfig } from 'colophon/config';

export default defineConfig({
  defaultLocale: 'en',
  locales: ['en'],

  collections: [
    {
      name: 'articles',
      label: 'Articles',
      description: 'Every piece we have published, newest first.',
      kind: 'page',
      urlPrefix: '/articles',
      fields: [
        { name: 'title', type: 'text', label: 'Title', required: true, maxLength: 120 },
        { name: 'standfirst', type: 'textarea', label: 'Standfirst', maxLength: 300 },
        {
          name: 'section',
          type: 'select',
          label: 'Section',
          options: [
            { label: 'Matter', value: 'Matter' },
            { label: 'Repair', value: 'Repair' },
            { label: 'Places', value: 'Places' },
            { label: 'Talk', value: 'Talk' },
          ],
        },
        { name: 'date', type: 'date', label: 'Date' },
        { name: 'contributor', type: 'relation', label: 'By', collection: 'contributors' },
        { name: 'plate', type: 'image', label: 'Picture' },
        { name: 'credit', type: 'text', label: 'Picture by' },
        { name: 'minutes', type: 'number', label: 'Minutes to read', min: 1 },
        { name: 'body', type: 'blocks', label: 'Text' },
        { name: 'tags', type: 'tags', label: 'Tags' },
        { name: 'related', type: 'relation', label: 'Read next', collection: 'articles', multiple: true, max: 3 },
      ],
    },
    {
      name: 'contributors',
      label: 'Contributors',
      description: 'Who writes and draws here.',
      kind: 'page',
      urlPrefix: '/contributors',
      fields: [
        { name: 'name', type: 'text', label: 'Name', required: true },
        { name: 'trade', type: 'text', label: 'Trade' },
        { name: 'bio', type: 'textarea', label: 'About' },
      ],
    },
    {
      name: 'front',
      label: 'Front page',
      description: 'Which articles are in front, and in which order.',
      kind: 'global',
      fields: [
        { name: 'title', type: 'text', label: 'Name of the issue', required: true },
        { name: 'lead', type: 'relation', label: 'Lead', collection: 'articles' },
        { name: 'picks', type: 'relation', label: 'Below it', collection: 'articles', multiple: true, max: 6 },
        { name: 'imprint', type: 'textarea', label: 'Imprint' },
      ],
    },
  ],

  blocks: [
    {
      name: 'prose',
      label: 'Prose',
      fields: [{ name: 'text', type: 'richtext', label: 'Text', required: true }],
    },
    {
      name: 'pull',
      label: 'Pulled sentence',
      fields: [
        { name: 'text', type: 'textarea', label: 'Words', required: true },
        { name: 'source', type: 'text', label: 'Whose' },
      ],
    },
    {
      name: 'facts',
      label: 'Facts',
      fields: [
        { name: 'title', type: 'text', label: 'Title', required: true },
        {
          name: 'items',
          type: 'array',
          label: 'Facts',
          fields: [
            { name: 'name', type: 'text', label: 'What', required: true },
            { name: 'value', type: 'text', label: 'How much', required: true },
          ],
        },
      ],
    },
  ],

  build: {
    outDir: 'dist',
    siteName: 'Offcut',
    rss: { title: 'Offcut', collections: ['articles'], limit: 20 },
  },
});
