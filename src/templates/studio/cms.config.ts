// An architects' studio: projects with plans and data sheets, an index of all of them, people, and news.
import { defineConfig } from 'colophon/config';

export default defineConfig({
  defaultLocale: 'en',
  locales: ['en', 'de'],
  build: { siteName: 'Holm & Varga', baseUrl: 'https://holmvarga.example', rss: { title: 'Holm & Varga: projects', collections: ['projects'] } },
  collections: [
    {
      name: 'projects',
      label: 'Projects',
      kind: 'page',
      urlPrefix: '/projects',
      translatable: true,
      fields: [
        { name: 'title', type: 'text', label: 'Title', required: true },
        { name: 'number', type: 'text', label: 'Number', required: true },
        { name: 'date', type: 'date', label: 'Finished' },
        { name: 'place', type: 'text', label: 'Place' },
        { name: 'summary', type: 'textarea', label: 'Summary', maxLength: 240 },
        { name: 'plan', type: 'image', label: 'Plan', required: true },
        { name: 'views', type: 'image-gallery', label: 'Views' },
        { name: 'drawn', type: 'boolean', label: 'Views are drawings, whose colours are turned round on dark screens' },
        { name: 'sheet', type: 'object', label: 'Data', fields: [{ name: 'area', type: 'number', label: 'Area (m²)' }, { name: 'material', type: 'text', label: 'Material' }, { name: 'client', type: 'text', label: 'Client' }, { name: 'state', type: 'text', label: 'State' }] },
        { name: 'site', type: 'map', label: 'Site' },
        { name: 'body', type: 'richtext', label: 'Text' },
        { name: 'tags', type: 'tags', label: 'Types' },
      ],
    },
    {
      name: 'pages',
      label: 'Pages',
      kind: 'page',
      urlPrefix: '/',
      translatable: true,
      fields: [
        { name: 'title', type: 'text', label: 'Title', required: true },
        { name: 'description', type: 'textarea', label: 'Description', maxLength: 240 },
        { name: 'body', type: 'richtext', label: 'Text' },
      ],
    },
    {
      name: 'people',
      label: 'People',
      kind: 'data',
      fields: [
        { name: 'name', type: 'text', required: true },
        { name: 'role', type: 'text' },
      ],
    },
  ],
});
