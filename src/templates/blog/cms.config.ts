// Low Water: a journal by one person. Entries with a picture each, tags, and a page about the author.
import { defineConfig } from 'colophon/config';

export default defineConfig({
  defaultLocale: 'en',
  locales: ['en'],

  collections: [
    {
      name: 'entries',
      label: 'Journal',
      description: 'Everything, newest first.',
      kind: 'page',
      urlPrefix: '/journal',
      fields: [
        { name: 'title', type: 'text', label: 'Title', required: true, maxLength: 120 },
        { name: 'date', type: 'date', label: 'Date' },
        { name: 'summary', type: 'textarea', label: 'Summary', maxLength: 240 },
        { name: 'picture', type: 'image', label: 'Picture' },
        { name: 'caption', type: 'text', label: 'Caption' },
        { name: 'body', type: 'richtext', label: 'Text' },
        { name: 'tags', type: 'tags', label: 'Tags', max: 6 },
      ],
    },
    {
      name: 'pages',
      label: 'Pages',
      kind: 'page',
      urlPrefix: '/',
      fields: [
        { name: 'title', type: 'text', label: 'Title', required: true },
        { name: 'picture', type: 'image', label: 'Picture' },
        { name: 'body', type: 'richtext', label: 'Text' },
      ],
    },
    {
      name: 'author',
      label: 'Author',
      description: 'Name and one paragraph, shown below every entry.',
      kind: 'global',
      fields: [
        { name: 'name', type: 'text', label: 'Name', required: true },
        { name: 'motto', type: 'text', label: 'Motto' },
        { name: 'about', type: 'textarea', label: 'About' },
      ],
    },
  ],

  build: {
    outDir: 'dist',
    siteName: 'Low Water',
    rss: { title: 'Low Water', collections: ['entries'], limit: 20 },
  },
});
