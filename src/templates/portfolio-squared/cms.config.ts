// A designer's portfolio as a wall of squares: posters, marks, letters. Every picture is square, and so is the page.
import { defineConfig } from 'colophon/config';

export default defineConfig({
  defaultLocale: 'en',
  locales: ['en'],
  build: { siteName: 'K. Tanabe', baseUrl: 'https://tanabe.example', rss: { title: 'K. Tanabe: new squares', collections: ['squares'] } },
  collections: [
    {
      name: 'squares',
      label: 'Squares',
      kind: 'page',
      urlPrefix: '/squares',
      fields: [
        { name: 'title', type: 'text', label: 'Title', required: true },
        { name: 'date', type: 'date', label: 'Date' },
        { name: 'kind', type: 'select', label: 'Kind', options: ['Poster', 'Mark', 'Letter', 'Cover'] },
        { name: 'square', type: 'image', label: 'Square', required: true },
        { name: 'size', type: 'select', label: 'Size on the wall', options: ['1', '2'], defaultValue: '1' },
        { name: 'summary', type: 'textarea', label: 'Summary', maxLength: 200 },
        { name: 'facts', type: 'array', label: 'Facts', fields: [{ name: 'name', type: 'text', required: true }, { name: 'value', type: 'text', required: true }] },
        { name: 'body', type: 'richtext', label: 'Text' },
        { name: 'tags', type: 'tags', label: 'Colours' },
      ],
    },
    {
      name: 'pages',
      label: 'Pages',
      kind: 'page',
      urlPrefix: '/',
      fields: [
        { name: 'title', type: 'text', label: 'Title', required: true },
        { name: 'body', type: 'richtext', label: 'Text' },
      ],
    },
  ],
});
