// An agency: work that was done, what it does, who does it, and a form for whoever wants some.
import { defineConfig } from 'colophon/config';

export default defineConfig({
  defaultLocale: 'en',
  locales: ['en'],
  build: { siteName: 'North Quay', baseUrl: 'https://northquay.example', rss: { title: 'North Quay: work', collections: ['work'] } },
  collections: [
    {
      name: 'pages',
      label: 'Pages',
      kind: 'page',
      urlPrefix: '/',
      fields: [
        { name: 'title', type: 'text', label: 'Title', required: true },
        { name: 'description', type: 'textarea', label: 'Description', maxLength: 240 },
        { name: 'featured', type: 'relation', label: 'Work on this page', collection: 'work', multiple: true },
        { name: 'body', type: 'richtext', label: 'Text' },
      ],
    },
    {
      name: 'work',
      label: 'Work',
      description: 'A selection. Ask for the rest.',
      kind: 'page',
      urlPrefix: '/work',
      fields: [
        { name: 'title', type: 'text', label: 'Title', required: true },
        { name: 'client', type: 'text', label: 'Client', required: true },
        { name: 'date', type: 'date', label: 'Finished' },
        { name: 'summary', type: 'textarea', label: 'Summary', maxLength: 240 },
        { name: 'cover', type: 'image', label: 'Picture', required: true },
        { name: 'tags', type: 'tags', label: 'Disciplines' },
        {
          name: 'figures',
          type: 'array',
          label: 'Figures',
          fields: [
            { name: 'value', type: 'text', required: true },
            { name: 'label', type: 'text', required: true },
          ],
        },
        { name: 'body', type: 'richtext', label: 'Text' },
        { name: 'team', type: 'relation', label: 'Team', collection: 'people', multiple: true },
        { name: 'gallery', type: 'image-gallery', label: 'Pictures' },
      ],
    },
    {
      name: 'services',
      label: 'Services',
      kind: 'data',
      fields: [
        { name: 'title', type: 'text', required: true },
        { name: 'summary', type: 'textarea' },
        { name: 'order', type: 'number' },
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
  forms: [
    {
      name: 'brief',
      label: 'Tell us about it',
      fields: [
        { name: 'name', label: 'Your name', type: 'text', required: true },
        { name: 'email', label: 'E-mail', type: 'email', required: true },
        { name: 'message', label: 'What is broken, and who for?', type: 'textarea', required: true },
      ],
      successMessage: 'Thank you. One of us answers within two working days.',
    },
  ],
});
