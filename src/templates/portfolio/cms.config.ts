// An illustrator's portfolio: series of pictures, exhibitions, a page about the person, and a way to write to her.
import { defineConfig } from 'colophon/config';

export default defineConfig({
  defaultLocale: 'en',
  locales: ['en'],
  build: { siteName: 'Ada Lindqvist', baseUrl: 'https://lindqvist.example', rss: { title: 'Ada Lindqvist: new work', collections: ['series'] } },
  collections: [
    {
      name: 'series',
      label: 'Work',
      description: 'Drawings belong to each other, so they hang in series here.',
      kind: 'page',
      urlPrefix: '/work',
      fields: [
        { name: 'title', type: 'text', label: 'Title', required: true },
        { name: 'date', type: 'date', label: 'Finished' },
        { name: 'medium', type: 'text', label: 'Medium' },
        { name: 'summary', type: 'textarea', label: 'Summary', maxLength: 240 },
        { name: 'cover', type: 'image', label: 'Cover', required: true },
        { name: 'pictures', type: 'image-gallery', label: 'Pictures' },
        { name: 'body', type: 'richtext', label: 'Text' },
        { name: 'tags', type: 'tags', label: 'Subjects' },
      ],
    },
    {
      name: 'shows',
      label: 'Exhibitions',
      description: 'Where the originals hang, hung, and will hang.',
      kind: 'page',
      urlPrefix: '/exhibitions',
      fields: [
        { name: 'title', type: 'text', label: 'Title', required: true },
        { name: 'date', type: 'date', label: 'Opens' },
        { name: 'until', type: 'date', label: 'Closes' },
        { name: 'place', type: 'text', label: 'Place' },
        { name: 'series', type: 'relation', label: 'What hangs', collection: 'series', multiple: true },
        { name: 'body', type: 'richtext', label: 'Text' },
      ],
    },
    {
      name: 'pages',
      label: 'Pages',
      kind: 'page',
      urlPrefix: '/',
      fields: [
        { name: 'title', type: 'text', label: 'Title', required: true },
        { name: 'description', type: 'textarea', label: 'Description', maxLength: 240 },
        { name: 'portrait', type: 'image', label: 'Portrait' },
        { name: 'body', type: 'richtext', label: 'Text' },
      ],
    },
  ],
  forms: [
    {
      name: 'letter',
      label: 'Write to me',
      fields: [
        { name: 'name', label: 'Your name', type: 'text', required: true },
        { name: 'email', label: 'E-mail', type: 'email', required: true },
        { name: 'message', label: 'Letter', type: 'textarea', required: true },
      ],
      successMessage: 'Thank you for your letter. I answer all of them, in the order of the post.',
    },
  ],
});
